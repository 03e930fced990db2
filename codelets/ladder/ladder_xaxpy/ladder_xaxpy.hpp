#pragma once

#include "codelets/ladder/ladder_xaxpy/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// y <- y + factor alpha x on one tile.
///   [y]     RW  spinors
///   [x]     R   spinors; may not be the tile of y
///   [alpha] R   1 complex number in double; absent: 1
/// Cost per complex number: 8 flop, 3 complex; 4 without alpha.
const Codelet& ladder_xaxpy_codelet(Precision);

} // namespace qcd
