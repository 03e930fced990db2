#pragma once

#include "codelets/chiral_scale/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// out <- c o in on one tile, c diagonal in spin: gamma5, mass and twist terms, their inverse,
/// xscal, copy, clear.
///   [out]  W  spinor; may not be the tile of in; updated() where there is a gate
///   [in]   R  spinor; absent: out <- 0
///   [gate] R  solve_scalars, optional: when it is closed nothing is written
/// Cost per site: 24 flop (c real) or 72, 2 spinors.
const Codelet& chiral_scale_codelet(Precision);

} // namespace qcd
