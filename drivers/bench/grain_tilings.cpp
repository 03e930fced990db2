#include "drivers/bench/grain_tilings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace qcd
{

std::vector<std::vector<int>> grain_tilings(const std::vector<int>& extents, int thinnest,
                                            long least_parts)
{
    std::vector<std::vector<int>> all;
    std::vector<int> parts(extents.size(), 1);
    for (;;) {
        if (std::accumulate(parts.begin(), parts.end(), 1L, std::multiplies<>()) >= least_parts)
            all.push_back(parts);
        int direction = -1;
        double thickest = 0;
        for (std::size_t mu = 0; mu < extents.size(); ++mu) {
            const double thickness = double(extents[mu]) / parts[mu];
            if (parts[mu] == extents[mu] / thinnest || thickness < thickest) continue;
            thickest = thickness;
            direction = int(mu);
        }
        if (direction < 0) return all;
        parts[direction] = std::min(2 * parts[direction], extents[direction] / thinnest);
    }
}

std::string joined_by_x(const std::vector<int>& numbers)
{
    return fmt::format("{}", fmt::join(numbers, "x"));
}

} // namespace qcd
