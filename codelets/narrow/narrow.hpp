#pragma once

#include "codelets/narrow/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// out <- in, rounded from double to single or to 16 bits (device/fixed.h), on one tile. `lower`:
/// f32 or f16.
///   [out] W  spinor, in `lower`
///   [in]  R  spinor, in double
/// Cost per site: 288 bytes, 244 to 16 bits.
const Codelet& narrow_codelet(Precision lower);

} // namespace qcd
