#include "drivers/compare/looks.hpp"

#include <algorithm>
#include <cmath>

namespace qcd
{

Counted counted(const RunReport& r)
{
    const int cg = r.cg_iterations.value_or(0);
    return {r.cg_iterations ? std::min(cg, r.iterations - cg) : r.iterations};
}

namespace
{

/// Is each task one operation, as long as the run goes on?
bool is_graph(PlanKind kind) { return kind == PlanKind::graph || kind == PlanKind::pinned; }

/// A sort of tasks that takes less of the time than this cannot delay much.
constexpr double share_that_counts = 0.05;

std::vector<CaseFacts::Model> models_of(const RunLook& look)
{
    double all = 0;
    for (const auto& [key, b] : look.busy) all += b.seconds;
    std::vector<CaseFacts::Model> models;
    for (const auto& [key, b] : look.busy) {
        if (b.foreseen < 2 || b.foreseen_seconds < share_that_counts * all) continue;
        const double mean = b.foreseen_seconds / double(b.foreseen);
        const double variance = b.foreseen_squares / double(b.foreseen) - mean * mean;
        models.push_back({key.first.operation, key.second, b.foreseen_seconds / b.predicted,
                          std::sqrt(std::max(0.0, variance)) / mean});
    }
    return models;
}

/// The bound without the times of runs.
CaseBound bound_without_runs(const CaseTasks& tasks, const std::vector<WorkerKind>& kinds,
                             const FastestTimes& fastest, double bus_gb_per_s)
{
    const Bound b = bound_of(tasks, kinds, fastest, bus_gb_per_s);
    CaseBound result{.area = b.area, .path = b.path, .bus = b.bus, .whole = tasks.graph.whole};
    double all = 0;
    for (const WorkerKind& k : kinds) all += k.flops;
    for (std::size_t i = 0; i < kinds.size() && kinds.size() > 1; ++i)
        result.shares.push_back({kinds[i].name, b.shares[i], all > 0 ? kinds[i].flops / all : 0});
    return result;
}

} // namespace

CaseBound bound_of(const RunReport& r, const RunRecord& record)
{
    const Counted counts = counted(r);
    const CaseTasks tasks = tasks_of(record, counts);
    const RunLook look =
        look_at(record, &tasks.graph, counts, r.plan && r.plan->kind == PlanKind::graph);
    FastestTimes fastest;
    fastest.add(look);
    CaseBound result = bound_without_runs(tasks, look.kinds, fastest, r.bus_gb_per_s);
    result.whole = result.whole && record.all_events;
    result.best = result.median = look.seconds;
    // Buses may be faster than StarPU has measured.
    if (!result.whole || !(result.seconds() <= look.seconds)) return result;
    result.look_seconds = look.seconds;
    result.look_counts = r.workers.only_cores();
    result.losses = losses_of(look, fastest, result.seconds());
    return result;
}

RunRecord Looks::wanted(int which) const
{
    const bool first = !cases_[std::size_t(which)].tasks;
    RunRecord record;
    record.with_graph = record.disturbing = record.with_stamps = first;
    return record;
}

void Looks::keep(OfCase& c, Look look)
{
    constexpr std::size_t most = 200; // a few KB each
    const auto place = std::upper_bound(
        c.looks.begin(), c.looks.end(), look.run.seconds,
        [](double seconds, const Look& other) { return seconds < other.run.seconds; });
    c.looks.insert(place, std::move(look));
    if (c.looks.size() > most) // in turn the slowest and the fastest
        c.looks.erase(c.looks.size() % 2 == most % 2 ? c.looks.begin() : c.looks.end() - 1);
}

void Looks::add(int which, const RunReport& r, RunRecord&& record)
{
    OfCase& c = cases_[std::size_t(which)];
    if (!load_before_) load_before_ = r.load_average;
    const Counted counts = counted(r);
    const bool first = record.with_graph;
    if (first && record.graph && record.stamped && r.plan && is_graph(r.plan->kind))
        c.split =
            split_of(*record.stamped, *record.graph, record.first, int(record.kind_of.size()));
    if (first && record.graph) c.tasks = tasks_of(record, counts);
    RunLook look = look_at(record, c.tasks ? &c.tasks->graph : nullptr, counts,
                           r.plan && r.plan->kind == PlanKind::graph);
    fastest.add(look);
    if (!first) {
        if (!c.best || look.seconds < c.best->seconds) c.best = look;
        c.facts = {.seconds = r.seconds.solve,
                   .bytes_moved = double(r.bytes_moved),
                   .bus_gb_per_s = r.bus_gb_per_s,
                   .workers = r.workers,
                   .plan = r.plan ? r.plan->kind : PlanKind::graph};
    }
    if (!look.busy.empty()) keep(c, {std::move(look), !first});
}

const Looks::Look* Looks::look_near(const OfCase& c, double seconds)
{
    const Look* near = nullptr;
    const auto further = [&](const Look& a, const Look& b) {
        if (a.counts != b.counts) return b.counts;
        return std::abs(a.run.seconds - seconds) > std::abs(b.run.seconds - seconds);
    };
    for (const Look& look : c.looks)
        if (!near || further(*near, look)) near = &look;
    return near;
}

std::optional<CaseBound> Looks::bound(const experiment::Design& d,
                                      const std::vector<experiment::Run>& runs, int which) const
{
    const OfCase& c = cases_[std::size_t(which)];
    std::vector<double> seconds = seconds_of(d, runs, which);
    std::erase_if(seconds, [](double s) { return std::isnan(s); });
    if (!c.tasks || !c.best || seconds.empty()) return std::nullopt;
    const auto summary = experiment::summarise(seconds, 0.95);
    CaseBound result = bound_without_runs(*c.tasks, c.best->kinds, fastest, c.facts.bus_gb_per_s);
    result.best = summary.least;
    result.median = summary.median;
    if (const Look* look = look_near(c, summary.median); look && result.whole) {
        result.look_seconds = look->run.seconds;
        result.look_counts = look->counts;
        result.losses = losses_of(look->run, fastest, result.seconds());
    }
    return result;
}

std::optional<CaseFacts> Looks::facts(int which) const
{
    const OfCase& c = cases_[std::size_t(which)];
    if (!c.best) return std::nullopt;
    CaseFacts facts = c.facts;
    const Look* look = look_near(c, c.best->seconds);
    if (look) {
        facts.median_task = look->run.median_task;
        facts.models = models_of(look->run);
    }
    if (c.tasks && facts.workers.cpu == 0)
        facts.bytes_needed = c.tasks->graph.bytes_to_devices + c.tasks->graph.bytes_from_devices;
    return facts;
}

} // namespace qcd
