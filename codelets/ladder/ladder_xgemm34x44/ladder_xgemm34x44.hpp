#pragma once

#include "codelets/ladder/ladder_xgemm34x44/slots.h"
#include "codelets/ladder/versions.hpp"
#include "codelets/variants.hpp"

namespace qcd
{

/// out(x) <- psi(neighbour of x in direction d) (1 -+ gamma_mu) on one tile: spinor (3x4) times
/// spin matrix (4x4), written out.
///   [out]   W  spinors; may not be the tile of psi
///   [psi]   R  spinors
///   [below] R  the last time slice of the tile behind in t; absent where d needs none
///   [above] R  the first one of the tile ahead
/// Cost per site: 24 flop.
const Codelet& ladder_xgemm34x44_codelet(Precision, const LadderVersion& = ladder_version("2.0"),
                                         int multiple = 8);

} // namespace qcd
