#pragma once

#include "codelets/cg_update/args.h"
#include "codelets/runtime/codelet.hpp"

namespace qcd
{

/// x <- x + alpha p,  r <- r - alpha q on one tile, alpha complex.
///   [x] [r]        RW  spinors, different tiles
///   [p] [q]        R   spinors
///   [coefficients] R   QCD_ALPHA; closed gate: fields stay, sums undefined
///   [sums]         W   5 exact accumulators; 2 = |r|^2 of the new r
/// Cost per site: 240 flop, 6 spinors.
/// Loop for cores and CUDA kernel: codelets/site_kernels.cpp.
const Codelet& cg_update_codelet(Precision);

} // namespace qcd
