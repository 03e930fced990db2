#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace qcd
{

class Stopwatch
{
public:
    /// Seconds since the last lap, or since the start.
    double lap()
    {
        const auto now = std::chrono::steady_clock::now();
        const double seconds = std::chrono::duration<double>(now - start_).count();
        start_ = now;
        return seconds;
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The middle value (the mean of the two middle ones); 0 for none.
inline double median(std::vector<double> v)
{
    if (v.empty()) return 0;
    std::sort(v.begin(), v.end());
    return (v[(v.size() - 1) / 2] + v[v.size() / 2]) / 2;
}

} // namespace qcd
