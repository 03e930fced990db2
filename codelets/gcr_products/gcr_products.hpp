#pragma once

#include "codelets/gcr_products/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// Products of a new direction of GCR with two earlier ones, on one tile: (q0|Az) and (q1|Az).
///   [Az] [q0]  R  spinors
///   [q1]       R  spinor; absent: 0 in its place
///   [scalars]  R  gcr_scalars; closed gate: sums undefined
///   [sums]     W  5 exact accumulators; 0 1 = (q0|Az), 3 4 = (q1|Az)
/// Cost per site: 192 flop, 3 spinors; without q1 96 flop, 2 spinors.
const Codelet& gcr_products_codelet(Precision);

} // namespace qcd
