#pragma once

#include "codelets/ladder/ladder_xdot/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// The first pass of (x|y), the sum of conj(x) y, on one tile: a sum of each 256 items.
///   [sums] W  a complex number in double for each
///   [x] [y] R  spinors
/// Cost per complex number: 8 flop, 2 complex.
const Codelet& ladder_xdot_codelet(Precision);

} // namespace qcd
