#pragma once

#include "codelets/ladder/ladder_xscal/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// x <- alpha x on one tile.
///   [x]     RW  spinors
///   [alpha] R   1 complex number in double
/// Cost per complex number: 6 flop, 2 complex.
const Codelet& ladder_xscal_codelet(Precision);

} // namespace qcd
