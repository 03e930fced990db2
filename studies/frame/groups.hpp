#pragma once

#include "runtime/operation.hpp"

namespace qcd::studies
{

/// Work groups of operations with an item for each cell.
inline WorkGroups cell_groups(int columns, int rows)
{
    constexpr long items = 256;
    return {int((long(columns) * rows + items - 1) / items), int(items)};
}

} // namespace qcd::studies
