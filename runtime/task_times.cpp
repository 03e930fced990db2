#include "runtime/task_times.hpp"

#include "base/error.hpp"
#include "runtime/codelet.hpp"

#include <starpu.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <set>

namespace qcd
{

namespace
{

using Curve = std::vector<std::pair<double, double>>;

/// Linear in x between the points, of which there is one at least, ascending in x.
double between(const Curve& points, double x)
{
    if (points.size() == 1) return points.front().second;
    auto upper = std::upper_bound(points.begin(), points.end(), std::pair(x, 1e300));
    upper = std::clamp(upper, points.begin() + 1, points.end() - 1);
    const auto lower = upper - 1;
    const double slope = (upper->second - lower->second) / (upper->first - lower->first);
    return lower->second + slope * (x - lower->first);
}

/// Seconds by bytes, where more never take less than those of the last point, nor fewer more than
/// those of the first.
double seconds_of(const Curve& points, double bytes)
{
    const auto& [least, first] = points.front();
    const auto& [most, last] = points.back();
    if (points.size() == 1) return first * (least > 0 ? bytes / least : 1);
    const double seconds = between(points, bytes);
    if (bytes > most) return std::max(last, seconds);
    if (bytes < least) return std::clamp(seconds, first * bytes / least, first);
    return seconds;
}

std::size_t in_common(const std::vector<std::string>& a, const std::vector<std::string>& b)
{
    std::vector<std::string> both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return 2 * both.size() + 100 - a.size() - b.size(); // less what only one has
}

} // namespace

const char* kind_of_worker(int worker)
{
    switch (starpu_worker_get_type(worker)) {
    case STARPU_CUDA_WORKER:
        return "CUDA";
    case STARPU_OPENCL_WORKER:
        return "OpenCL";
    default:
        return "CPU";
    }
}

std::vector<std::string> optional_slots(const Codelet& codelet, unsigned present)
{
    std::set<std::string> names;
    for (std::size_t s = 0; s < codelet.slots.size(); ++s)
        if (codelet.slots[s].optional && (present >> s & 1)) names.insert(codelet.slots[s].name);
    return {names.begin(), names.end()};
}

TaskTimes::TaskTimes(const std::vector<TaskTime>& times, int workers)
{
    // The times of each size by how many workers were busy.
    std::map<std::tuple<std::string, std::string, std::vector<std::string>, double>,
             std::map<int, double>>
        measured;
    for (const TaskTime& t : times)
        measured[{t.operation, t.worker, t.with, t.bytes}][t.busy] = t.seconds;
    for (const auto& [key, by_busy] : measured) {
        const auto& [operation, worker, with, bytes] = key;
        const Curve points(by_busy.begin(), by_busy.end());
        const double busy = std::clamp(double(workers), points.front().first, points.back().first);
        curves_[{operation, worker}][with].emplace_back(bytes, between(points, busy));
    }
}

double TaskTimes::task_seconds(const std::string& worker) const
{
    const auto found = task_seconds_.find(worker);
    return found == task_seconds_.end() ? 0 : found->second;
}

const TaskTimes::Curve& TaskTimes::curve(const Codelet& codelet, unsigned present,
                                         const std::string& worker) const
{
    const Curve*& found = found_[{&codelet, present, worker}];
    if (found) return *found;
    const std::vector<std::string> with = optional_slots(codelet, present);
    std::vector<std::string> names{codelet.name};
    if (const Operation& o = codelet.operation; o.like) // the same variant of it
        names.push_back(o.like + codelet.name.substr(std::strlen(o.name)));
    names.emplace_back("*");
    for (const std::string& name : names) {
        const auto variants = curves_.find({name, worker});
        if (variants == curves_.end()) continue;
        const auto best = std::max_element(
            variants->second.begin(), variants->second.end(), [&](const auto& a, const auto& b) {
                return in_common(a.first, with) < in_common(b.first, with);
            });
        found = &best->second;
        return *found;
    }
    throw Error("machine: it has no time of {} on {} workers, nor one of *", codelet.name, worker);
}

double TaskTimes::seconds(const Codelet& codelet, unsigned present, double bytes,
                          const std::string& worker) const
{
    constexpr double least = 1e-9; // StarPU takes 0 for not known
    return std::max(least, seconds_of(curve(codelet, present, worker), bytes));
}

} // namespace qcd
