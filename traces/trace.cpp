#include "traces/trace.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace qcd
{

namespace
{

/// The sums of changes, at least `apart` seconds from each other.
std::vector<Step> sums_of(std::vector<std::pair<double, long>> changes, double apart)
{
    std::sort(changes.begin(), changes.end());
    std::vector<Step> steps;
    long sum = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        sum += changes[i].second;
        const double time = changes[i].first;
        const bool last = i + 1 == changes.size();
        if (!last && changes[i + 1].first == time) continue;
        if (!last && !steps.empty() && time - steps.back().time < apart) continue;
        steps.push_back({time, double(sum)});
    }
    return steps;
}

/// The step of counters, which then have 20,000 values at most.
double resolution(const Trace& t) { return (t.to - t.from) / 20000; }

std::vector<IterationMark> iteration_marks(const Trace& t)
{
    std::vector<std::size_t> order(t.tasks.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return t.tasks[a].submitted < t.tasks[b].submitted;
    });
    std::vector<IterationMark> marks;
    for (const std::size_t i : order) {
        const TraceTask& task = t.tasks[i];
        // Ranks submit at different times: those of the first one mark.
        if (task.iteration < 0 || t.workers[task.worker].rank != 0) continue;
        if (marks.empty() || marks.back().iteration != task.iteration)
            marks.push_back({task.iteration, task.started});
        marks.back().time = std::min(marks.back().time, task.started);
    }
    return marks;
}

/// Dependencies and uses of the operations that are there, ascending.
void order_by_jobs(Trace& t)
{
    if (t.dependencies.empty() && t.uses.empty()) return;
    std::vector<long> jobs;
    for (const TraceTask& task : t.tasks)
        if (task.job >= 0 && t.operations[task.operation] != whole_batch) jobs.push_back(task.job);
    std::sort(jobs.begin(), jobs.end());
    const auto is_there = [&](long job) {
        return std::binary_search(jobs.begin(), jobs.end(), job);
    };
    std::erase_if(t.dependencies,
                  [&](const TraceDependency& d) { return !is_there(d.job) || !is_there(d.on); });
    std::sort(t.dependencies.begin(), t.dependencies.end());
    std::erase_if(t.uses, [&](const TraceUse& u) { return !is_there(u.job); });
    std::stable_sort(t.uses.begin(), t.uses.end(),
                     [](const TraceUse& a, const TraceUse& b) { return a.job < b.job; });
}

bool is_of_rank(const Trace& t, const TraceTask& task, int rank)
{
    return rank < 0 || t.workers[task.worker].rank == rank;
}

/// A rate from `began` to `ended`; none where that is too short for the clock.
void add_rate(std::vector<std::pair<double, long>>& changes, double amount, double began,
              double ended)
{
    const double rate = amount / (ended - began);
    if (!(rate > 0 && rate < 1e15)) return;
    changes.emplace_back(began, std::lround(rate));
    changes.emplace_back(ended, -std::lround(rate));
}

} // namespace

std::string Trace::about_of(const std::string& key) const
{
    for (const auto& [k, value] : about)
        if (k == key) return value;
    return {};
}

void finish(Trace& t)
{
    std::stable_sort(t.tasks.begin(), t.tasks.end(), [](const TraceTask& a, const TraceTask& b) {
        return std::tie(a.worker, a.started) < std::tie(b.worker, b.started);
    });
    order_by_jobs(t);
    if (t.tasks.empty()) return;
    t.from = std::numeric_limits<double>::max();
    t.to = std::numeric_limits<double>::lowest();
    for (const TraceTask& task : t.tasks) {
        t.from = std::min(t.from, task.started);
        t.to = std::max(t.to, task.ended);
    }
    t.marks = iteration_marks(t);
}

Trace cropped(const Trace& whole, double from, double to)
{
    Trace t;
    std::tie(t.about, t.workers, t.memories, t.operations, t.dependencies, t.data, t.uses) =
        std::tie(whole.about, whole.workers, whole.memories, whole.operations, whole.dependencies,
                 whole.data, whole.uses);
    t.from = std::max(from, whole.from);
    t.to = std::min(to, whole.to);
    for (TraceTask task : whole.tasks) {
        if (task.ended <= t.from || task.started >= t.to) continue;
        task.started = std::max(task.started, t.from);
        task.ended = std::min(task.ended, t.to);
        t.tasks.push_back(task);
    }
    order_by_jobs(t);
    for (Transfer transfer : whole.transfers) {
        if (transfer.ended < t.from || transfer.began > t.to) continue;
        transfer.began = std::max(transfer.began, t.from);
        transfer.ended = std::min(transfer.ended, t.to);
        t.transfers.push_back(transfer);
    }
    for (TraceMessage m : whole.messages) {
        if (m.received < t.from || m.made > t.to) continue;
        for (double* time : {&m.made, &m.sent, &m.received})
            *time = std::clamp(*time, t.from, t.to);
        t.messages.push_back(std::move(m));
    }
    for (const Eviction& e : whole.evictions)
        if (e.time >= t.from && e.time <= t.to) t.evictions.push_back(e);
    if (t.from > whole.from || t.to < whole.to)
        for (TraceWorker& w : t.workers) w.overhead = w.waiting = std::nullopt;
    for (const IterationMark& m : whole.marks)
        if (m.time >= t.from && m.time < t.to) t.marks.push_back(m);
    if (t.tasks.empty())
        throw Error("trace: no task in the time asked for: the trace is from {:.3f} to "
                    "{:.3f} ms",
                    1e3 * whole.from, 1e3 * whole.to);
    return t;
}

std::pair<double, double> time_of_iterations(const Trace& t, int first, int last)
{
    double from = std::numeric_limits<double>::max(), to = -from;
    int highest = -1;
    for (const TraceTask& task : t.tasks) {
        highest = std::max(highest, task.iteration);
        if (task.iteration < first || task.iteration > last) continue;
        from = std::min(from, task.started);
        to = std::max(to, task.ended);
    }
    if (from > to)
        throw Error("--iterations: {}:{} has no task; the trace has iterations 0 to {}", first,
                    last, highest);
    return {from, to};
}

std::vector<Step> ready_tasks(const Trace& t, int rank)
{
    std::vector<std::pair<double, long>> changes;
    for (const TraceTask& task : t.tasks) {
        if (task.batch >= 0 || !is_of_rank(t, task, rank)) continue;
        changes.emplace_back(std::clamp(task.ready, t.from, task.started), 1);
        changes.emplace_back(task.started, -1);
    }
    return sums_of(std::move(changes), resolution(t));
}

std::vector<Step> submitted_operations(const Trace& t, int rank)
{
    std::vector<std::pair<double, long>> changes;
    for (const TraceTask& task : t.tasks) {
        if (!is_of_rank(t, task, rank)) continue;
        changes.emplace_back(std::clamp(task.submitted, t.from, task.ended), 1);
        changes.emplace_back(task.ended, -1);
    }
    return sums_of(std::move(changes), resolution(t));
}

std::vector<Step> bytes_per_second(const Trace& t)
{
    std::vector<std::pair<double, long>> changes;
    for (const TraceTask& task : t.tasks) add_rate(changes, task.bytes, task.started, task.ended);
    return sums_of(std::move(changes), resolution(t));
}

std::vector<Step> copied_per_second(const Trace& t, Direction direction, int memory)
{
    std::vector<std::pair<double, long>> changes;
    for (const Transfer& c : t.transfers)
        if ((direction == Direction::to ? c.to : c.from) == memory)
            add_rate(changes, c.bytes, c.began, c.ended);
    return sums_of(std::move(changes), resolution(t));
}

} // namespace qcd
