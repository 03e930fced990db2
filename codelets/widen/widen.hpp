#pragma once

#include "codelets/variants.hpp"
#include "codelets/widen/slots.h"

namespace qcd
{

/// out <- in, from single or 16 bits to double, on one tile. `lower`: f32 or f16.
///   [out]   W  spinor, in double; updated() where there is a gate
///   [in]    R  spinor, in `lower`
///   [gate]  R  solve_scalars, optional: when it is closed nothing is written
/// Cost per site: 288 bytes, 244 from 16 bits.
const Codelet& widen_codelet(Precision lower);

} // namespace qcd
