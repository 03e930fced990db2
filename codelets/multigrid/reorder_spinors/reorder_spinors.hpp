#pragma once

#include "codelets/multigrid/reorder_spinors/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// Spinors in another order: those of a tile, of both parities, in that of a level, and back.
///   [out]    W  spinor of `blocks` blocks; updated() where there is a gate
///   [even]   R  spinor of `blocks_in` blocks
///   [odd]    R  the same, optional: absent, 0 is taken for its spinors
///   [places] R  for each lane of out, 2 * (number of a lane of the input) + (0: even, 1: odd), or -1: 0
///   [gate]   R  solve_scalars, optional: when it is closed nothing is written
/// out is no tile of the others. Cost per site: no flops, 2 spinors and 4 bytes.
const Codelet& reorder_spinors_codelet(Precision);

} // namespace qcd
