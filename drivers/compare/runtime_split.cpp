#include "drivers/compare/runtime_split.hpp"

#include "drivers/compare/times.hpp"

#include <algorithm>
#include <limits>

namespace qcd
{

namespace
{

constexpr double never = -std::numeric_limits<double>::infinity();

/// The time of one worker, cut into pieces one after another.
class Cursor
{
public:
    Cursor(double begin, double end, const Times& pushes, double& decision)
        : at_(begin), end_(end), pushes_(pushes), decision_(decision)
    {
    }
    /// What was so until then; but what its worker told the scheduler in it is the scheduler's.
    void until(double end, double& piece)
    {
        end = std::min(end, end_);
        if (end <= at_) return;
        const double pushed = pushes_.within(at_, end);
        decision_ += pushed;
        piece += end - at_ - pushed;
        at_ = end;
    }
    /// A device executes until `end`, while its worker goes on.
    void executed_until(double end, double& piece)
    {
        end = std::min(end, end_);
        piece += std::max(0.0, end - at_);
        at_ = std::max(at_, end);
    }

private:
    double at_, end_;
    const Times& pushes_;
    double& decision_;
};

} // namespace

std::optional<RuntimeSplit> split_of(const Stamped& all, const TaskGraph& graph, long first,
                                     int workers)
{
    const std::size_t n = graph.nodes.size();
    std::vector<const TaskStamps*> of_node(n, nullptr);
    for (const TaskStamps& t : all.tasks) {
        const long node = t.number - first;
        if (node < 0 || node >= long(n) || t.worker < 0 || t.worker >= workers) return std::nullopt;
        of_node[std::size_t(node)] = &t;
    }
    const auto needed_by = [&](const TaskStamps& t) {
        const TaskStamps* last = nullptr;
        for (const int before : graph.waits_for(std::size_t(t.number - first)))
            if (const TaskStamps* b = of_node[std::size_t(before)];
                b && (!last || b->ended > last->ended))
                last = b;
        return last;
    };
    std::vector<std::vector<const TaskStamps*>> of_worker{std::size_t(workers)};
    std::vector<Times> pushes(static_cast<std::size_t>(workers)); // by the worker
    for (const TaskStamps& t : all.tasks) {
        of_worker[std::size_t(t.worker)].push_back(&t);
        // Who ends the last task that another waits for hands that to the scheduler; else who
        // submits it does.
        const TaskStamps* const last = needed_by(t);
        if (last && last->told > t.submitted)
            pushes[std::size_t(last->worker)].add(t.push_began, t.push_ended);
    }
    RuntimeSplit s{.seconds = all.ended - all.began,
                   .tasks = long(all.tasks.size()),
                   .submitting = all.submitting};
    for (std::size_t w = 0; w < of_worker.size(); ++w) {
        pushes[w].join();
        std::sort(of_worker[w].begin(), of_worker[w].end(),
                  [](const TaskStamps* a, const TaskStamps* b) { return a->started < b->started; });
        Cursor time(all.began, all.ended, pushes[w], s.decision);
        double told = never; // of the task before
        for (const TaskStamps* const t : of_worker[w]) {
            const TaskStamps* const needed = needed_by(*t);
            const auto until = [&](double end, double& piece) {
                time.until(std::min(end, t->started), piece);
            };
            until(std::min(told, t->pop_began), s.dependencies);
            until(needed ? needed->ended : never, s.waiting);
            until(t->submitted, s.submission);
            until(t->push_began, s.dependencies);
            until(t->push_ended, s.decision);
            until(t->pop_began, s.queueing);
            until(t->pop_ended, s.decision);
            until(t->fetch_ended, s.data);
            until(t->started, s.other);
            time.executed_until(t->ended, s.executing);
            told = t->told;
        }
        time.until(told, s.dependencies);
        time.until(all.ended, s.waiting);
    }
    for (double* piece : {&s.executing, &s.waiting, &s.submission, &s.dependencies, &s.decision,
                          &s.queueing, &s.data, &s.other})
        *piece /= workers;
    return s;
}

} // namespace qcd
