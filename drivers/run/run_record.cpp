#include "drivers/run/run_record.hpp"

#include <fmt/format.h>

#include <utility>

namespace qcd
{

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
    first = graph.operations();
    if (with_graph) recording_ = std::make_unique<GraphRecord>(graph);
    if (with_stamps) {
        profiling_ = std::make_unique<Profiling>();
        stamping_ = std::make_unique<StampRecord>(graph);
        stamped.emplace().began = StampRecord::now();
    }
    began = Events::now();
}

void RunRecord::solved()
{
    ended = Events::now();
    if (stamped) stamped->ended = StampRecord::now();
}

void RunRecord::end(const std::vector<WorkDone>& work, const WorkerCounts&, Events* recorded)
{
    if (recording_) graph = recording_->take();
    recording_.reset();
    if (stamping_) {
        stamped->tasks = stamping_->take();
        stamped->submitting = stamping_->submitting();
        if (!stamping_->whole()) stamped.reset();
    }
    stamping_.reset();
    profiling_.reset();
    for (std::size_t worker = 0; worker < work.size(); ++worker)
        kinds[std::size_t(kind_of[worker])].flops += work[worker].flops;
    if (!recorded) return;
    began -= recorded->began();
    ended -= recorded->began();
    events = recorded->take();
    all_events = recorded->kept_all();
}

} // namespace qcd
