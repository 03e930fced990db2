#pragma once

#include "codelets/cg_residual/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// r <- r - alpha q on one tile, alpha complex.
///   [r]            RW  spinor
///   [q]            R   spinor, another tile
///   [scalars]      R   cg_scalars: alpha; closed gate: r stays, sums undefined
///   [sums]         W   5 exact accumulators; 2 = |r|^2 of the new r
/// Cost per site: 144 flop, 3 spinors.
const Codelet& cg_residual_codelet(Precision);

} // namespace qcd
