#include "drivers/run_record.hpp"

#include <fmt/format.h>

#include <utility>

namespace qcd
{

namespace
{

/// Of the worker's tasks since the last call.
double executed_flops(int worker)
{
    starpu_profiling_worker_info info;
    starpu_profiling_worker_get_info(worker, &info);
    return info.flops;
}

} // namespace

void RunRecord::begin(Graph& graph, const Session& session)
{
    const WorkerCounts w = session.workers();
    kind_of.assign(std::size_t(w.all()), 0);
    const auto add = [&](starpu_worker_archtype type, const std::string& name) {
        const std::vector<int> ids = session.worker_ids(type);
        if (ids.empty()) return;
        for (const int worker : ids) kind_of[std::size_t(worker)] = int(kinds.size());
        kinds.push_back({name, int(ids.size()), 0});
    };
    add(STARPU_CPU_WORKER,
        w.cores_per_cpu > 1 ? fmt::format("CPU of {} cores", w.cores_per_cpu) : "CPU");
    add(STARPU_CUDA_WORKER, "CUDA");
    add(STARPU_OPENCL_WORKER, "OpenCL");
    if (!w.only_cores())
        for (int worker = 0; worker < w.all(); ++worker) executed_flops(worker);
    first = graph.operations();
    if (with_graph) recording_ = std::make_unique<GraphRecord>(graph);
    began = Events::now();
}

void RunRecord::end(const Session& session, Events* recorded)
{
    ended = Events::now();
    if (recording_) graph = recording_->take();
    recording_.reset();
    const WorkerCounts w = session.workers();
    if (!w.only_cores())
        for (int worker = 0; worker < w.all(); ++worker)
            kinds[std::size_t(kind_of[std::size_t(worker)])].flops += executed_flops(worker);
    if (!recorded || !looks(w)) return;
    began -= recorded->began();
    ended -= recorded->began();
    events = recorded->take();
    all_events = recorded->kept_all();
}

} // namespace qcd
