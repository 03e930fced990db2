#include "drivers/compare/run_look.hpp"

#include "drivers/compare/times.hpp"

#include <algorithm>
#include <limits>

namespace qcd
{

namespace
{

class Timeline
{
public:
    Timeline(const RunRecord& r, const TaskGraph* graph, Counted counts, bool any_worker)
        : r_(r), graph_(graph), counts_(counts), of_worker_(r.kind_of.size()),
          could_run_(any_worker ? 1 : r.kind_of.size())
    {
        for (const Event& e : r.events) {
            if (e.origin.number < r.first) continue;
            of_worker_[std::size_t(e.worker)].push_back(&e);
            last_ = std::max(last_, e.ended);
            const auto place = std::size_t(e.origin.number - r.first);
            if (place >= ended_.size()) ended_.resize(place + 1, unknown);
            ended_[place] = e.ended;
            // The worker of a list knows by itself when others have made an operation's data.
            if (e.batch < 0)
                could_run_[any_worker ? 0 : std::size_t(e.worker)].add(e.ready,
                                                                       e.started - fetching(e));
        }
        for (Times& t : could_run_) t.join();
    }

    void fill(RunLook& look) const
    {
        std::vector<double> tasks; // of one operation
        std::size_t in_lists = 0;
        for (std::size_t w = 0; w < of_worker_.size(); ++w) {
            const std::string& kind = r_.kinds[std::size_t(r_.kind_of[w])].name;
            double free = r_.began; // since then
            for (const Event* e : of_worker_[w]) {
                add_gap(look.idle, w, free, *e);
                free = std::max(free, e->ended);
                if (e->idle || !counts_(e->origin.iteration)) {
                    look.idle.runtime += e->ended - e->started;
                    continue;
                }
                add(look.busy[{sort_of(*e), kind}], *e);
                if (e->batch < 0)
                    tasks.push_back(e->ended - e->started);
                else
                    ++in_lists;
            }
            look.idle.other += std::max(0.0, std::min(last_, r_.ended) - free);
            look.idle.runtime += std::max(0.0, r_.ended - std::max(last_, free));
        }
        if (tasks.size() <= in_lists) return;
        const auto middle = tasks.begin() + std::ptrdiff_t(tasks.size() / 2);
        std::nth_element(tasks.begin(), middle, tasks.end());
        look.median_task = *middle;
    }

private:
    static constexpr double unknown = -std::numeric_limits<double>::infinity();

    static Sort sort_of(const Event& e)
    {
        return {e.origin.codelet->name, e.origin.work.bytes, e.origin.work.flops};
    }
    static void add(Busy& b, const Event& e)
    {
        const double seconds = e.ended - e.started;
        b.fastest = b.count == 0 ? seconds : std::min(b.fastest, seconds);
        ++b.count;
        b.seconds += seconds;
        if (e.predicted <= 0) return;
        ++b.foreseen;
        b.foreseen_seconds += seconds;
        b.foreseen_squares += seconds * seconds;
        b.predicted += e.predicted;
    }

    /// What an operation waited for last.
    struct Cause {
        double ended = unknown;
        int part = 0;
    };
    Cause cause_of(const Event& e) const
    {
        Cause last;
        const auto node = std::size_t(e.origin.number - r_.first);
        if (!graph_ || node >= graph_->nodes.size()) return {e.ready, e.origin.part};
        for (const int before : graph_->waits_for(node)) {
            const auto place = std::size_t(before);
            if (place < ended_.size() && ended_[place] > last.ended)
                last = {ended_[place], graph_->nodes[place].part};
        }
        return last;
    }

    /// Where all memory is the host's nothing is moved, and waiting for data is StarPU's.
    double fetching(const Event& e) const
    {
        const bool cores = r_.kinds.size() == 1 && r_.kinds.front().name.starts_with("CPU");
        return cores ? 0 : e.fetching;
    }

    /// The worker was free from then on until e began.
    void add_gap(Idle& idle, std::size_t worker, double free, const Event& e) const
    {
        if (e.started <= free) return;
        const double since = std::max(free, e.ready);
        const double fetched = std::clamp(e.started - since, 0.0, fetching(e));
        const double end = e.started - fetched;
        const Cause cause = cause_of(e);
        const double runnable = std::clamp(cause.ended, free, end);
        const double others =
            could_run_[could_run_.size() == 1 ? 0 : worker].within(free, runnable);
        idle.transfers += fetched;
        idle.runtime += end - runnable + others;
        const bool reduction = e.origin.part < 0 || cause.part < 0;
        (reduction ? idle.reductions : idle.other) += runnable - free - others;
    }

    const RunRecord& r_;
    const TaskGraph* graph_;
    Counted counts_;
    std::vector<std::vector<const Event*>> of_worker_;
    std::vector<Times> could_run_; // of all workers, or of each its own tasks
    std::vector<double> ended_;    // by place in the solve
    double last_ = 0;
};

} // namespace

int RunLook::workers() const
{
    int sum = 0;
    for (const WorkerKind& k : kinds) sum += k.workers;
    return sum;
}

RunLook look_at(const RunRecord& r, const TaskGraph* graph, Counted counts, bool any_worker)
{
    RunLook look{.seconds = r.ended - r.began, .kinds = r.kinds};
    if (!r.events.empty() && r.all_events) Timeline(r, graph, counts, any_worker).fill(look);
    return look;
}

} // namespace qcd
