#pragma once

#include "codelets/ladder/ladder_stencil/slots.h"
#include "codelets/ladder/versions.hpp"
#include "codelets/variants.hpp"

namespace qcd
{

/// out <- a o psi + b o (H psi) on one tile (codelets/ladder/shape.h), in one kernel: for each of
/// the eight neighbours xgemm34x44, spinor (3x4) times spin matrix (4x4), then xgemm33x34, link
/// (3x3) times spinor. o: a and b by spin. Antiperiodic signs are in the links.
///   [out]        W  spinors; may not be the tile of psi
///   [psi]        R  spinors
///   [below]      R  the last time slice of the tile behind in t; absent where t is not cut
///   [above]      R  the first one of the tile ahead
///   [links]      R  8 matrices a site, in the version's layout (codelets/ladder/links.h)
///   [neighbours] R  8 ints a site: ladder_neighbour(); absent where the version computes them
///   [spin]       R  8 full 4x4 matrices L[d][row][column]; absent where they are written out
/// Cost per site: 5328 flop with full matrices (8 (360 + 264) + 336), 2640 written out (8 (24 +
/// 264)
/// + 336).
const Codelet& ladder_stencil_codelet(Precision, const LadderVersion& = ladder_version("1.2"),
                                      int multiple = 8);

} // namespace qcd
