#pragma once

#include "codelets/device/shape.h"
#include "runtime/operation.hpp"

namespace qcd
{

/// Operation::groups of an operation of which a group has one block of lanes (level_groups.h).
inline WorkGroups groups_of_blocks(int, const void* args)
{
    return {.count = blocks_in(args), .items = QCD_LANES};
}

} // namespace qcd
