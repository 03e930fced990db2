#pragma once

#include "codelets/merge_sums/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// out <- part_0 + part_1 + ..., word by word: the accumulators of several tiles as one.
///   [out]   W  5 exact accumulators
///   [parts] R  up to QCD_MERGE_FAN_IN slots of 5 exact accumulators
const Codelet& merge_sums_codelet();

} // namespace qcd
