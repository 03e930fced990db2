#pragma once

#include "codelets/ladder/ladder_sum/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// A further pass: a sum of each 256 parts.
///   [sums]  W  complex numbers in double
///   [parts] R  complex numbers in double
/// Cost per part: 2 flop.
const Codelet& ladder_sum_codelet(Precision);

} // namespace qcd
