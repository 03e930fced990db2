#include "drivers/bench/grain_tilings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>

namespace qcd
{

namespace
{

struct Candidate {
    double work;
    long parts;
    double surface; ///< faces for each cell
    std::vector<int> cuts;
    auto rank() const { return std::tie(work, parts, surface, cuts); }
};

/// Every tiling.
std::vector<std::vector<int>> all_tilings(const std::vector<int>& extents, int thinnest)
{
    std::vector<std::vector<int>> all{{}};
    for (const int extent : extents) {
        std::vector<std::vector<int>> longer;
        for (const std::vector<int>& cuts : all)
            for (int n = 1, most = std::max(1, extent / thinnest);; n = std::min(2 * n, most)) {
                longer.push_back(cuts);
                longer.back().push_back(n);
                if (n == most) break;
            }
        all = std::move(longer);
    }
    return all;
}

double surface_of(const std::vector<int>& extents, const std::vector<int>& cuts)
{
    double surface = 0;
    for (std::size_t mu = 0; mu < extents.size(); ++mu)
        if (cuts[mu] > 1) surface += double(cuts[mu]) / extents[mu];
    return surface;
}

} // namespace

std::vector<std::vector<int>>
grain_tilings(const std::vector<int>& extents, int thinnest, long least_parts,
              const std::function<double(const std::vector<int>&)>& work)
{
    constexpr double a_good_deal = 1.5;
    std::vector<Candidate> candidates;
    for (std::vector<int>& cuts : all_tilings(extents, thinnest)) {
        const long parts = std::accumulate(cuts.begin(), cuts.end(), 1L, std::multiplies<>());
        if (parts >= least_parts)
            candidates.push_back({work(cuts), parts, surface_of(extents, cuts), std::move(cuts)});
    }
    std::sort(candidates.begin(), candidates.end(),
              [](const Candidate& a, const Candidate& b) { return a.rank() < b.rank(); });
    // Chosen from the least work on; those with most have as few parts as there may be.
    std::vector<std::vector<int>> chosen;
    const Candidate* last = nullptr;
    for (const Candidate& c : candidates) {
        if (last && (c.work < a_good_deal * last->work || c.parts >= last->parts)) continue;
        chosen.push_back(c.cuts);
        last = &c;
    }
    const auto top =
        std::min_element(candidates.begin(), candidates.end(),
                         [](const Candidate& a, const Candidate& b) { return a.parts < b.parts; });
    if (last && top->parts < last->parts) { // it has too little more work to stand beside the next
        if (chosen.size() > 1) chosen.pop_back();
        chosen.push_back(top->cuts);
    }
    std::reverse(chosen.begin(), chosen.end());
    return chosen;
}

std::string joined_by_x(const std::vector<int>& numbers)
{
    return fmt::format("{}", fmt::join(numbers, "x"));
}

} // namespace qcd
