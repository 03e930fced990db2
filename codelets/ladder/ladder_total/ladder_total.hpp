#pragma once

#include "codelets/ladder/ladder_total/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// sum <- the sum of what tiles have, in their order; or sum + that, where it is updated.
///   [sum]   W  1 complex number in double
///   [parts] R  1 complex number in double each; at least the first
const Codelet& ladder_total_codelet(Precision);

} // namespace qcd
