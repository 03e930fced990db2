#pragma once

#include "codelets/fma_chains/args.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// x <- a x + b, `steps` times, on each real of one tile: nothing but arithmetic, for its peak.
///   [x] RW  spinor
///   a, b    rounded to the precision of x
/// Cost per site: 48 flop a step, 2 spinors in all.
const Codelet& fma_chains_codelet(Precision);

} // namespace qcd
