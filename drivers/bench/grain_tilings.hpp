#pragma once
// Tilings whose tasks are from large to small, for `bench --grain`.

#include <string>
#include <vector>

namespace qcd
{

/// Numbers of parts per direction: from at least so many parts in all, by each step twice as many,
/// or as many as still can be, in the direction where parts are thickest (the last one of those),
/// until none can be cut. A part has at least `thinnest` cells in each direction. Empty where the
/// grid cannot be cut into so many.
std::vector<std::vector<int>> grain_tilings(const std::vector<int>& extents, int thinnest,
                                            long least_parts);

/// "8x8x8x16"
std::string joined_by_x(const std::vector<int>&);

} // namespace qcd
