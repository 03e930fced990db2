#include "drivers/compare/bound.hpp"

#include "drivers/compare/area_bound.hpp"

#include <algorithm>
#include <cmath>

namespace qcd
{

namespace
{

bool on_cores(const std::string& kind) { return kind.starts_with("CPU"); }

Sort sort_of(const TaskGraph::Node& n) { return {n.codelet->name, n.work.bytes, n.work.flops}; }

std::vector<double> shares_of_flops(const std::vector<Sort>& sorts, const AreaBound& area,
                                    std::size_t kinds)
{
    std::vector<double> shares(kinds);
    double all = 0;
    for (std::size_t sort = 0; sort < area.tasks.size(); ++sort)
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            const double flops = area.tasks[sort][kind] * sorts[sort].flops;
            shares[kind] += flops;
            all += flops;
        }
    for (double& s : shares) s = all > 0 ? s / all : 0;
    return shares;
}

} // namespace

void FastestTimes::add(const Sort& sort, const std::string& kind, double seconds)
{
    const auto [it, isnew] = seen_.try_emplace({sort, kind}, seconds);
    if (!isnew) it->second = std::min(it->second, seconds);
}

void FastestTimes::add(const RunLook& look)
{
    for (const auto& [key, busy] : look.busy) add(key.first, key.second, busy.fastest);
}

double FastestTimes::launch(const std::string& kind) const
{
    if (on_cores(kind)) return 0;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [key, seconds] : seen_)
        if (key.second == kind) least = std::min(least, seconds);
    return least;
}

double FastestTimes::kernel(const Sort& sort, const std::string& kind) const
{
    const double off = launch(kind);
    if (const auto it = seen_.find({sort, kind}); it != seen_.end()) return it->second - off;
    double bytes_a_second = 0;
    for (const auto& [key, seconds] : seen_)
        if (key.second == kind && seconds > off)
            bytes_a_second = std::max(bytes_a_second, key.first.bytes / (seconds - off));
    return bytes_a_second > 0 ? sort.bytes / bytes_a_second
                              : std::numeric_limits<double>::infinity();
}

CaseTasks tasks_of(const RunRecord& r, Counted counts)
{
    CaseTasks c{*r.graph, {}};
    const bool known = !r.events.empty() && r.all_events;
    c.counts.assign(c.graph.nodes.size(), !known);
    for (const Event& e : r.events) {
        const long node = e.origin.number - r.first;
        if (!e.idle && node >= 0 && node < long(c.counts.size()))
            c.counts[std::size_t(node)] = true;
    }
    for (std::size_t i = 0; i < c.counts.size(); ++i)
        if (!counts(c.graph.nodes[i].iteration)) c.counts[i] = false;
    return c;
}

double Bound::seconds() const { return std::max({std::isnan(area) ? 0 : area, path, bus}); }

Bound bound_of(const CaseTasks& tasks, const std::vector<WorkerKind>& kinds,
               const FastestTimes& fastest, double bus_gb_per_s)
{
    std::map<Sort, double> counts;
    for (std::size_t i = 0; i < tasks.counts.size(); ++i)
        if (tasks.counts[i]) ++counts[sort_of(tasks.graph.nodes[i])];
    AreaProblem area;
    for (const WorkerKind& k : kinds) area.workers.push_back(k.workers);
    std::vector<Sort> sorts;
    std::map<Sort, double> quickest; // where it is
    for (const auto& [sort, count] : counts) {
        sorts.push_back(sort);
        area.tasks.push_back(count);
        area.seconds.emplace_back();
        for (const WorkerKind& k : kinds)
            area.seconds.back().push_back(fastest.kernel(sort, k.name));
        quickest[sort] = *std::min_element(area.seconds.back().begin(), area.seconds.back().end());
    }
    std::vector<double> seconds(tasks.counts.size());
    for (std::size_t i = 0; i < seconds.size(); ++i)
        if (tasks.counts[i]) seconds[i] = quickest.at(sort_of(tasks.graph.nodes[i]));
    const AreaBound a = area_bound(area);
    const bool cores = std::any_of(kinds.begin(), kinds.end(),
                                   [](const WorkerKind& k) { return on_cores(k.name); });
    double devices = 0;
    for (const WorkerKind& k : kinds) devices += k.workers;
    const double bytes = tasks.graph.bytes_to_devices + tasks.graph.bytes_from_devices;
    return {.area = a.seconds,
            .path = critical_path(tasks.graph, seconds),
            .bus = cores || bus_gb_per_s <= 0 ? 0 : bytes / (1e9 * bus_gb_per_s * devices),
            .shares = shares_of_flops(sorts, a, kinds.size())};
}

Losses losses_of(const RunLook& look, const FastestTimes& fastest, double bound)
{
    const double workers = look.workers();
    double at_best = 0, busy = 0; // seconds of all workers
    for (const auto& [key, b] : look.busy) {
        busy += b.seconds;
        at_best += double(b.count) * fastest.kernel(key.first, key.second);
    }
    Losses l{.kernels = (busy - at_best) / workers,
             .placement = std::max(0.0, at_best / workers - bound),
             .transfers = look.idle.transfers / workers,
             .reductions = look.idle.reductions / workers,
             .idle = look.idle.other / workers,
             .runtime = look.idle.runtime / workers};
    // Where the bound is more than the tasks take on all workers together (b, c), a part of what
    // was not used could not be, whatever the schedule: the rest in proportion.
    const double wasted = l.kernels + l.transfers + l.reductions + l.idle + l.runtime;
    const double lost = look.seconds - bound - l.placement;
    const double scale = wasted > 0 ? lost / wasted : 0;
    for (double* part : {&l.kernels, &l.transfers, &l.reductions, &l.idle, &l.runtime})
        *part *= scale;
    return l;
}

} // namespace qcd
