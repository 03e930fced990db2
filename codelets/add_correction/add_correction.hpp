#pragma once

#include "codelets/add_correction/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// y <- y + x in double, x in single and with the steps that it lacks (x_steps), on one tile:
///   one:  x + alpha before;  two:  x + alpha' before + alpha p
/// also behind a closed gate, where alpha is that of the last iteration made. `lower`: f32 or f16.
///   [y]       RW  spinor, in double
///   [x]       R   spinor, in single
///   [before]  R   spinor, in `lower`; absent with steps only
///   [p]       R   the same
///   [steps]   R   scalars that begin as scalars_with_steps; absent: x lacks nothing
/// Cost per site: 24 flop, with both steps 216; 480 bytes, with both 672, of 16
/// bits 584.
const Codelet& add_correction_codelet(Precision lower);

} // namespace qcd
