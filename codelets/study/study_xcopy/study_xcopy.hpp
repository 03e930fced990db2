#pragma once

#include "codelets/study/study_xcopy/args.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// y <- x from a complex number on; without x, y <- 0. Of one tile; also of its first or last time
/// slice, for the tile next to it.
///   [y] W  complex numbers
///   [x] R  as many or more; may not be the memory of y; may be absent
const Codelet& study_xcopy_codelet(Precision);

} // namespace qcd
