#pragma once

#include "codelets/bicgstab_update/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// The second half of a BiCGstab iteration on one tile; r holds s = r - alpha v on entry:
///   x <- x + alpha p + omega s,  r <- s - omega t,  p <- r + beta (p - omega v)
///   [x] [r] [p]    RW  spinors, different tiles; in 16 bits x is a plain one (device/lang.h)
///   [v] [t]        R   spinors
///   [scalars]      R   bicgstab_scalars: alpha, beta, omega; closed gate: fields stay, sums
///                      undefined
///   [sums]         W   5 exact accumulators; 2 = |r|^2 of the new r
/// Cost per site: 528 flop, 8 spinors.
const Codelet& bicgstab_update_codelet(Precision);

} // namespace qcd
