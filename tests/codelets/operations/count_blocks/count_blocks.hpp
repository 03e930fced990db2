#pragma once

#include "codelets/variants.hpp"
#include "tests/codelets/operations/count_blocks/slots.h"

namespace qcd
{

/// times[b] <- times[b] + 1 for each of so many blocks. For cores alone.
///   [times] RW  an int a block
const Codelet& count_blocks_codelet(Precision);

} // namespace qcd
