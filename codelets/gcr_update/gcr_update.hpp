#pragma once

#include "codelets/gcr_update/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// One pass of a GCR iteration on one tile, from q = A z:
///   q <- q - sum_l beta_l q_l,  r <- r - alpha q,  z <- r
///   [q] [r]        RW  spinors, all tiles different
///   [z]            RW  spinor, the direction to come; absent where that is a preconditioner's.
///                      It is not read, but stays behind a closed gate
///   [scalars]      R   gcr_scalars: beta, and alpha of the newest direction; closed gate: fields
///                      stay, sums undefined
///   [sums]         W   5 exact accumulators; 2 = |r|^2 of the new r, 3 = |q|^2 of the new q
///   [earlier]      R   up to QCD_MOST_DIRECTIONS - 1 spinors q_l, in the order of beta
/// Cost per site: 192 flop and 96 for each q_l; 4 spinors, one for z and for each q_l.
const Codelet& gcr_update_codelet(Precision);

} // namespace qcd
