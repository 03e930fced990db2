#pragma once

#include "codelets/cr_update/args.h"
#include "codelets/runtime/codelet.hpp"

namespace qcd
{

/// One pass of the Conjugate Residual iteration on one tile, alpha and beta complex:
///   p <- r + beta p,  Ap <- Ar + beta Ap,  x <- x + alpha p,  r <- r - alpha Ap
///   [x] [r] [p] [Ap] RW  spinors, four different tiles; p and Ap are read even when beta = 0
///   [Ar]             R   spinor
///   [coefficients]   R   QCD_ALPHA, QCD_BETA; closed gate: fields stay, sums undefined
///   [sums]           W   5 exact accumulators; 2 = |r|^2 of the new r
/// Cost per site: 432 flop, 9 spinors.
/// Loop for cores and CUDA kernel: codelets/site_kernels.cpp.
const Codelet& cr_update_codelet(Precision);

} // namespace qcd
