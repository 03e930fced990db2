#pragma once

#include "codelets/xpay/args.h"
#include "runtime/codelet.hpp"

namespace qcd
{

/// y <- x + beta y on one tile, beta complex.
///   [x] R   spinor
///   [y] RW  spinor; may not be the tile of x. Read even when beta = 0: NaN in y stays
/// Cost per site: 96 flop, 3 spinors.
/// Loop for cores and CUDA kernel: codelets/site_kernels.cpp.
const Codelet& xpay_codelet(Precision);

} // namespace qcd
