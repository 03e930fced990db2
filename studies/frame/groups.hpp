#pragma once

#include "runtime/operation.hpp"

namespace qcd::studies
{

/// Work groups of operations with an item for each cell of Args' columns and rows.
template <class Args>
WorkGroups cell_groups(const Args& a)
{
    constexpr long items = 256;
    return {int((long(a.columns) * a.rows + items - 1) / items), int(items)};
}

} // namespace qcd::studies
