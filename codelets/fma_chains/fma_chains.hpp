#pragma once

#include "codelets/fma_chains/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// x <- a x + b, `steps` times, on each real of one tile: nothing but arithmetic, for its peak.
///   [x] RW  spinor
///   a, b    rounded to the precision of x
/// Cost per site: 48 flop a step, 2 spinors in all.
const Codelet& fma_chains_codelet(Precision);
inline double fma_chains_flops(const void* args, unsigned present)
{
    return static_cast<const fma_chains_args*>(args)->steps * flops_a_site<48>(args, present);
}

} // namespace qcd
