#include "drivers/trace/schedule_trace.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "drivers/plan/schedule_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace qcd
{

namespace
{

/// Executes iterations one after the other.
class Execution
{
public:
    Execution(const std::string& file, const std::vector<std::string>& kinds) : file_(file)
    {
        trace_.about.emplace_back("plan", "a schedule as it is written: each worker executes its "
                                          "list, and nothing but operations takes time");
        std::map<std::string, int> count;
        for (const std::string& kind : kinds) {
            const std::string name = fmt::format("{} {}", kind, count[kind]++);
            trace_.workers.push_back({.name = name, .kind = kind, .device = "cores"});
        }
    }

    void execute(const ScheduleFile::Iteration& i, int number)
    {
        check(i);
        const double begin = now_;
        std::vector<double> ended(i.operations.size(), not_yet), free(trace_.workers.size(), begin);
        std::vector<std::vector<int>> lists(trace_.workers.size());
        for (const int o : i.schedule.order)
            lists[std::size_t(i.schedule.worker[std::size_t(o)])].push_back(o);
        std::vector<std::size_t> at(lists.size(), 0);
        const auto ready = [&](int o) {
            double since = begin;
            for (const int before : i.operations[std::size_t(o)].waits_for) {
                if (ended[std::size_t(before)] == not_yet) return not_yet;
                since = std::max(since, ended[std::size_t(before)]);
            }
            return since;
        };
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t w = 0; w < lists.size(); ++w)
                while (at[w] < lists[w].size() && ready(lists[w][at[w]]) != not_yet) {
                    const int o = lists[w][at[w]++];
                    const double since = ready(o), started = std::max(since, free[w]);
                    free[w] = ended[std::size_t(o)] = started + i.schedule.took[std::size_t(o)];
                    now_ = std::max(now_, free[w]);
                    add(i.operations[std::size_t(o)], number, int(w), since, started, free[w]);
                    moved = true;
                }
        }
        if (std::find(ended.begin(), ended.end(), not_yet) != ended.end())
            refuse(i, "it could not be executed: an operation would wait for ever");
        trace_.about.emplace_back(
            fmt::format("iteration {}", number),
            fmt::format("{}: {} operations in {} ms; their longest chain takes {} ms, and no "
                        "schedule less{}",
                        i.fingerprint, i.operations.size(), figure(1e3 * (now_ - begin)),
                        figure(1e3 * longest_chain(i)),
                        i.schedule.seconds > 0 ? fmt::format("; as a graph it took {} ms",
                                                             figure(1e3 * i.schedule.seconds))
                                               : std::string()));
    }

    Trace take()
    {
        finish(trace_);
        return std::move(trace_);
    }

private:
    static constexpr double not_yet = -1;

    [[noreturn]] void refuse(const ScheduleFile::Iteration& i, const std::string& why) const
    {
        throw Error("{}: schedule {}: {}", file_, i.fingerprint, why);
    }
    void check(const ScheduleFile::Iteration& i) const
    {
        const int n = int(i.operations.size());
        for (const double seconds : i.schedule.took)
            if (!(seconds > 0)) refuse(i, "it has no times of its operations, as those of devices");
        for (int o = 0; o < n; ++o)
            for (const int before : i.operations[std::size_t(o)].waits_for)
                if (before < 0 || before >= o)
                    refuse(i, fmt::format("operation {} waits for {}, which is not before it", o,
                                          before));
        for (const int o : i.schedule.order)
            if (o < 0 || o >= n) refuse(i, fmt::format("operation {} is none of the {}", o, n));
        for (const int worker : i.schedule.worker)
            if (worker < 0 || worker >= int(trace_.workers.size()))
                refuse(i, "an operation has no list, or one of no worker");
    }

    static double longest_chain(const ScheduleFile::Iteration& i)
    {
        std::vector<double> ends(i.operations.size(), 0);
        for (std::size_t o = 0; o < ends.size(); ++o) {
            for (const int before : i.operations[o].waits_for)
                ends[o] = std::max(ends[o], ends[std::size_t(before)]);
            ends[o] += i.schedule.took[o];
        }
        return *std::max_element(ends.begin(), ends.end());
    }

    void add(const ScheduleFile::Operation& o, int iteration, int worker, double ready,
             double started, double ended)
    {
        const auto [known, isnew] = numbers_.try_emplace(o.name, int(trace_.operations.size()));
        if (isnew) trace_.operations.push_back(o.name);
        trace_.tasks.push_back({.operation = known->second,
                                .tile = o.tile,
                                .iteration = iteration,
                                .worker = worker,
                                .ready = ready,
                                .started = started,
                                .ended = ended});
    }

    std::string file_;
    Trace trace_;
    std::map<std::string, int> numbers_; // of operations in the trace
    double now_ = 0;
};

} // namespace

Trace trace_of_schedules(const std::string& file)
{
    const ScheduleFile there = read_schedule_file(file);
    Execution execution(file, there.kinds);
    for (std::size_t i = 0; i < there.iterations.size(); ++i)
        execution.execute(there.iterations[i], int(i));
    return execution.take();
}

} // namespace qcd
