#pragma once

#include "codelets/variants.hpp"
#include "codelets/widen/args.h"

namespace qcd
{

/// out <- in, from single to double, on one tile.
///   [out]   W  spinor, in double
///   [in]    R  spinor, in single
///   [gate]  R  solve_scalars, optional: when it is closed nothing is written
/// Cost per site: 288 bytes.
const Codelet& widen_codelet();

} // namespace qcd
