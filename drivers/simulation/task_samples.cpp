#include "drivers/simulation/task_samples.hpp"

#include "runtime/codelet.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace qcd
{

namespace
{

/// Mean of the middle 80 of 100: what the system did meanwhile stays out.
TaskTime summary(std::vector<double> seconds)
{
    std::sort(seconds.begin(), seconds.end());
    const std::size_t n = seconds.size(), cut = n / 10;
    const auto begin = seconds.begin() + long(cut), end = seconds.end() - long(cut);
    TaskTime t;
    t.seconds = std::accumulate(begin, end, 0.0) / double(end - begin);
    t.low = *begin;
    t.high = *(end - 1);
    t.calls = long(n);
    return t;
}

} // namespace

double TaskSamples::add(const std::vector<Event>& events, int busy)
{
    double all = 0;
    for (const Event& e : events) {
        const double seconds = e.ended - e.started;
        all += seconds;
        if (!e.origin.codelet || e.idle) continue;
        seconds_[{e.origin.codelet->name, optional_slots(*e.origin.codelet, e.origin.present),
                  kind_of_worker(e.worker), busy, std::round(e.origin.work.bytes)}]
            .push_back(seconds);
    }
    return all;
}

std::vector<TaskTime> TaskSamples::times() const
{
    std::vector<TaskTime> all;
    for (const auto& [key, seconds] : seconds_) {
        TaskTime t = summary(seconds);
        std::tie(t.operation, t.with, t.worker, t.busy, t.bytes) = key;
        all.push_back(t);
    }
    return all;
}

} // namespace qcd
