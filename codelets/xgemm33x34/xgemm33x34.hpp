#pragma once

#include "codelets/variants.hpp"
#include "codelets/xgemm33x34/slots.h"

namespace qcd
{

/// out <- U_mu psi (or U_mu^dagger psi) on one tile: link (3x3) times spinor (3x4), site by site.
///   [out]   W  spinor; may not be the tile of psi
///   [links] R  4 links a site, of which direction mu is used
///   [psi]   R  spinor
/// Cost per site: 264 flop (by convention), 9 + 24 complex.
const Codelet& xgemm33x34_codelet(Precision, LinkStorage = LinkStorage::full);

} // namespace qcd
