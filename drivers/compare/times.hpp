#pragma once
// Times in which something was so, each instant once.

#include <algorithm>
#include <utility>
#include <vector>

namespace qcd
{

class Times
{
public:
    void add(double begin, double end)
    {
        if (begin < end) all_.push_back({begin, end});
    }
    /// Call it after the last add().
    void join()
    {
        std::sort(all_.begin(), all_.end());
        std::vector<std::pair<double, double>> joined;
        for (const auto& [begin, end] : all_)
            if (joined.empty() || joined.back().second < begin)
                joined.push_back({begin, end});
            else
                joined.back().second = std::max(joined.back().second, end);
        all_ = std::move(joined);
    }
    /// Seconds of it between begin and end.
    double within(double begin, double end) const
    {
        double sum = 0;
        auto it = std::partition_point(all_.begin(), all_.end(),
                                       [&](const auto& t) { return t.second <= begin; });
        for (; it != all_.end() && it->first < end; ++it)
            sum += std::min(end, it->second) - std::max(begin, it->first);
        return sum;
    }

private:
    std::vector<std::pair<double, double>> all_;
};

} // namespace qcd
