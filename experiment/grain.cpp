#include "experiment/grain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace qcd::experiment
{

GrainPoint point_of(const std::vector<TaskRun>& rounds, double confidence)
{
    const auto summary = [&](const auto& quantity) {
        std::vector<double> values;
        for (const TaskRun& r : rounds) values.push_back(quantity(r));
        return summarise(values, confidence);
    };
    return {.seconds = summary([](const TaskRun& r) { return r.seconds; }),
            .efficiency = summary([](const TaskRun& r) { return r.efficiency(); }),
            .size = summary([](const TaskRun& r) { return r.size(); }),
            .overhead = summary([](const TaskRun& r) { return r.overhead(); })};
}

double half_grain(std::vector<TaskRun> runs)
{
    constexpr double half = 0.5;
    std::sort(runs.begin(), runs.end(),
              [](const TaskRun& a, const TaskRun& b) { return a.size() < b.size(); });
    const auto above = std::find_if(runs.begin(), runs.end(),
                                    [](const TaskRun& r) { return r.efficiency() >= half; });
    if (above == runs.begin()) return 0;
    if (above == runs.end()) return std::numeric_limits<double>::infinity();
    const auto below = above - 1;
    const double part = (half - below->efficiency()) / (above->efficiency() - below->efficiency());
    return below->size() * std::pow(above->size() / below->size(), part);
}

HalfGrain half_grain(const std::vector<std::vector<TaskRun>>& rounds, double confidence)
{
    HalfGrain g;
    std::vector<double> logs;
    for (const std::vector<TaskRun>& round : rounds) {
        if (round.empty()) continue;
        ++g.rounds;
        const double size = half_grain(round);
        if (size == 0)
            ++g.below;
        else if (std::isinf(size))
            ++g.above;
        else
            logs.push_back(std::log(size));
    }
    if (2 * int(logs.size()) <= g.rounds) return g;
    const Summary s = summarise(logs, confidence);
    g.seconds = std::exp(s.mean);
    if (s.interval && s.n == g.rounds)
        g.interval = {std::exp(s.interval->low), std::exp(s.interval->high)};
    return g;
}

} // namespace qcd::experiment
