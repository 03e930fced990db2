#pragma once

#include "codelets/variants.hpp"
#include "codelets/xpay/slots.h"

namespace qcd
{

/// y <- x + beta y on one tile, beta complex.
///   [x] R   spinor
///   [y] RW  spinor; may not be the tile of x. Read even when beta = 0: NaN in y stays
/// Cost per site: 96 flop, 3 spinors.
const Codelet& xpay_codelet(Precision);

} // namespace qcd
