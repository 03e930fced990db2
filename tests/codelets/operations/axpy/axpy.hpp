#pragma once

#include "codelets/variants.hpp"
#include "tests/codelets/operations/axpy/slots.h"

namespace qcd
{

/// y <- y + alpha x on one tile, alpha real.
///   [x] R   spinor
///   [y] RW  spinor; may not be the tile of x
/// Cost per site: 48 flop, 3 spinors.
const Codelet& axpy_codelet(Precision);

} // namespace qcd
