#pragma once

#include "codelets/dot/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// Sums of one tile for (x|y) and the norms (accumulators as QCD_SUM_*: 0 1 = (x|y), 2 = |y|^2, 3 =
/// |x|^2). norm2 is |x|^2, the square of BLAS's xnrm2.
///   [x]    R  spinor
///   [y]    R  spinor; may be absent: then only |x|^2
///   [sums] W  5 exact accumulators
/// Cost per site: 192 flop, 2 spinors.
const Codelet& dot_codelet(Precision);

} // namespace qcd
