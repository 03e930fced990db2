#pragma once

#include "codelets/gauge/link_reunitarize/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// Links of one direction and parity of a tile back into SU(3), from which rounding takes them:
/// rows 0 and 1 orthonormalised in this order, row 2 = conj(row 0 x row 1).
///   [links]  RW  n links
const Codelet& link_reunitarize_codelet();

} // namespace qcd
