#pragma once

#include "codelets/ladder/ladder_xcopy/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// y <- x from a complex number on; without x, y <- 0. Of one tile; also of its first or last time
/// slice, for the tile next to it.
///   [y] W  complex numbers
///   [x] R  as many or more; may not be the memory of y; may be absent
const Codelet& ladder_xcopy_codelet(Precision);

} // namespace qcd
