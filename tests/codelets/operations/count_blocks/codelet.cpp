#include "codelets/registration.hpp"
#include "tests/codelets/operations/count_blocks/count_blocks.hpp"

namespace qcd::slot
{
inline constexpr Slot ints{.holds = "ints"};
}

QCD_OPERATION(fields, count_blocks, .blocks = blocks_in)
