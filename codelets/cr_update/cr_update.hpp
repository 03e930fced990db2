#pragma once

#include "codelets/cr_update/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// One pass of the Conjugate Residual iteration on one tile, alpha and beta complex:
///   x <- x + alpha' p,  p <- r + beta p,  x <- x + alpha p,
///   Ap <- Ar + beta Ap,  r <- r - alpha Ap
/// with alpha' of the iteration before, which left x alone: both steps in one pass of x.
///   [x]            RW  spinor, in 16 bits a plain one (device/lang.h); absent: left alone
///   [r] [p] [Ap]   RW  spinors, all tiles different; p and Ap are read even when beta = 0
///   [Ar]           R   spinor
///   [scalars]      R   cr_scalars: alpha, beta, with x alpha_before; closed gate: fields stay,
///                      sums are undefined
///   [sums]         W   5 exact accumulators; 2 = |r|^2 of the new r
/// Cost per site: 528 flop, 9 spinors; without x 336 flop, 7 spinors.
const Codelet& cr_update_codelet(Precision);

} // namespace qcd
