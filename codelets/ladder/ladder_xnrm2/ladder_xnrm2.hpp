#pragma once

#include "codelets/ladder/ladder_xnrm2/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// The first pass of |x|^2, the square of BLAS's xnrm2, on one tile: a sum of each 256 items.
///   [sums] W  a complex number in double for each, imaginary part 0
///   [x]    R  spinors
/// Cost per complex number: 4 flop, 1 complex.
const Codelet& ladder_xnrm2_codelet(Precision);

} // namespace qcd
