#pragma once

#include "codelets/variants.hpp"
#include "codelets/xgemm34x44/slots.h"

namespace qcd
{

/// out <- (1 - sign gamma_mu) psi on one tile: spinor (3x4) times sparse spin matrix (4x4), site by
/// site.
///   [out] W  spinor; may not be the tile of psi
///   [psi] R  spinor
/// Cost per site: 12 flop (two independent rows), 2 spinors.
const Codelet& xgemm34x44_codelet(Precision);

} // namespace qcd
