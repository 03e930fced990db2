#include "runtime/task_stamps.hpp"

#include "runtime/graph.hpp"

#include <starpu.h>

#include <algorithm>

namespace qcd
{

StampRecord::StampRecord(Graph& graph, std::size_t most) : graph_(graph), most_(most)
{
    graph_.record_stamps(this);
}

StampRecord::~StampRecord()
{
    graph_.wait();
    graph_.record_stamps(nullptr);
}

double StampRecord::now() { return 1e-6 * starpu_timing_now(); }

void StampRecord::submits(starpu_task& task, long number)
{
    if (tasks_.size() == most_ || task.callback_func) {
        whole_ = false;
        return;
    }
    Watched& one = tasks_.emplace_back();
    one.stamps.number = number;
    one.task = &task;
    task.callback_func = look;
    task.callback_arg = &one;
}

/// The worker calls this when StarPU has done everything else for the task.
void StampRecord::look(void* watched)
{
    Watched& one = *static_cast<Watched*>(watched);
    starpu_profiling_task_info* const p = one.task->profiling_info;
    if (!p) return;
    double last = 0;
    const auto seconds = [&last](timespec& t) {
        last = std::max(last, 1e-6 * starpu_timing_timespec_to_us(&t));
        return last;
    };
    TaskStamps& s = one.stamps;
    s.worker = p->workerid;
    s.submitted = seconds(p->submit_time);
    s.push_began = seconds(p->push_start_time);
    s.push_ended = seconds(p->push_end_time);
    s.pop_began = seconds(p->pop_start_time);
    s.pop_ended = seconds(p->pop_end_time);
    s.fetch_began = seconds(p->acquire_data_start_time);
    s.fetch_ended = seconds(p->acquire_data_end_time);
    s.started = seconds(p->start_time);
    s.ended = seconds(p->end_time);
    s.told = seconds(p->callback_start_time);
}

std::vector<TaskStamps> StampRecord::take()
{
    graph_.wait();
    std::vector<TaskStamps> all;
    all.reserve(tasks_.size());
    for (const Watched& one : tasks_) {
        if (one.stamps.worker >= 0)
            all.push_back(one.stamps);
        else
            whole_ = false;
    }
    tasks_.clear();
    return all;
}

} // namespace qcd
