#pragma once

#include "codelets/narrow/args.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// out <- in, rounded from double to single, on one tile.
///   [out] W  spinor, in single
///   [in]  R  spinor, in double
/// Cost per site: 288 bytes.
const Codelet& narrow_codelet(Precision lower);

} // namespace qcd
