#pragma once

#include "codelets/cg_update/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// The direction of the next iteration of CG and, in every second one, x, on one tile, alpha and
/// beta complex:
///   x <- x + alpha' p',  x <- x + alpha p,  next <- z + beta p
/// with alpha' and p' of the iteration before, which left x alone; p' is what stands in `next`.
///   [x]            RW  spinor, in 16 bits a plain one (device/lang.h); absent: left alone
///   [next]         RW  spinor; without x it is written only, but stays behind a closed gate
///                  (past the caches with QCD_REACH_MEMORY: aligned to 64 bytes)
///   [p] [z]        R   spinors, all tiles different; p is read even when beta = 0
///   [scalars]      R   cg_scalars: beta, with x alpha and alpha_before; closed gate: fields stay
/// Cost per site: 288 flop, 6 spinors; without x 96 flop, 3 spinors.
const Codelet& cg_update_codelet(Precision);

} // namespace qcd
