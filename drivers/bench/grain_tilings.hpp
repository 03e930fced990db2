#pragma once
// Tilings whose tasks are from large to small, for `bench --grain`.

#include <functional>
#include <string>
#include <vector>

namespace qcd
{

/// Numbers of parts per direction: from at least so many parts in all to those with the least work,
/// each with a good deal less than the one before. Directions are cut into 1, 2, 4, ... parts, or as
/// many as they can be: parts have at least `thinnest` cells. Of tilings whose parts have equal
/// work(parts) the one with the fewest parts is taken, of those the one with the smallest faces for
/// their cells, and of these the one that is cut in later directions. Empty where the grid cannot be
/// cut into so many.
std::vector<std::vector<int>>
grain_tilings(const std::vector<int>& extents, int thinnest, long least_parts,
              const std::function<double(const std::vector<int>&)>& work);

/// "8x8x8x16"
std::string joined_by_x(const std::vector<int>&);

} // namespace qcd
