#pragma once

#include "codelets/bicgstab_residual/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// s <- r - alpha v in place of r, on one tile.
///   [r]            RW  spinor
///   [v]            R   spinor
///   [shadow]       R   spinor, the shadow residual
///   [scalars]      R   bicgstab_scalars: alpha; closed gate: fields stay, sums undefined
///   [sums]         W   5 exact accumulators; 0 1 = (shadow|s), 2 = |s|^2
/// Cost per site: 240 flop, 4 spinors.
const Codelet& bicgstab_residual_codelet(Precision);

} // namespace qcd
