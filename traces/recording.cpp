#include "traces/recording.hpp"

#include "runtime/codelet.hpp"

#include <fmt/format.h>
#include <starpu.h>

#include <map>

namespace qcd
{

namespace
{

std::vector<TraceWorker> present_workers()
{
    std::vector<TraceWorker> workers;
    std::map<std::string, int> count;
    for (unsigned w = 0; w < starpu_worker_get_count(); ++w) {
        const starpu_worker_archtype type = starpu_worker_get_type(int(w));
        const std::string kind = type == STARPU_CUDA_WORKER     ? "CUDA"
                                 : type == STARPU_OPENCL_WORKER ? "OpenCL"
                                                                : "CPU";
        char name[256] = "";
        starpu_worker_get_name(int(w), name, sizeof name);
        workers.push_back({fmt::format("{} {}", kind, count[kind]++), kind,
                           kind == "CPU" ? "cores" : std::string(name)});
        workers.back().memory = int(starpu_worker_get_memory_node(w));
    }
    return workers;
}

std::vector<std::string> present_memories()
{
    std::vector<std::string> memories;
    for (unsigned node = 0; node < starpu_memory_nodes_get_count(); ++node) {
        char name[256] = "";
        starpu_memory_node_get_name(node, name, sizeof name);
        memories.emplace_back(name);
    }
    return memories;
}

/// What its operations use and wait for.
void add_graph(Trace& trace, const TaskGraph& graph)
{
    for (const TaskGraph::Piece& p : graph.pieces) trace.data.push_back({p.name, p.part, p.bytes});
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        for (const int on : graph.waits_for(i)) trace.dependencies.push_back({long(i), on});
        for (const TaskGraph::Use& u : graph.uses(i))
            trace.uses.push_back({long(i), u.piece, TraceUse::Mode(u.mode)});
    }
    if (!graph.whole)
        trace.about.emplace_back(
            "dependencies", fmt::format("of the first {} operations alone", graph.nodes.size()));
}

} // namespace

Trace make_trace(const std::vector<Event>& events, Recorded recorded, double began)
{
    Trace trace;
    trace.workers = present_workers();
    trace.memories = present_memories();
    trace.tasks.reserve(events.size());
    std::map<const Codelet*, int> numbers;
    for (const Event& e : events) {
        const auto [known, isnew] =
            numbers.try_emplace(e.origin.codelet, int(trace.operations.size()));
        if (isnew)
            trace.operations.push_back(e.origin.codelet ? e.origin.codelet->name : whole_batch);
        trace.tasks.push_back({known->second, e.origin.part, e.origin.iteration, e.worker, e.batch,
                               e.origin.submitted, e.ready, e.started, e.ended, e.origin.work.bytes,
                               e.origin.work.flops,
                               e.origin.number < 0 ? -1 : e.origin.number - recorded.first});
    }
    if (recorded.graph) add_graph(trace, *recorded.graph);
    for (Transfer& t : recorded.transfers) {
        t.began -= began;
        t.ended -= began;
    }
    for (Eviction& e : recorded.evictions) e.time -= began;
    trace.transfers = std::move(recorded.transfers);
    trace.evictions = std::move(recorded.evictions);
    for (std::size_t w = 0; w < recorded.work.size(); ++w) {
        trace.workers[w].overhead = recorded.work[w].overhead;
        trace.workers[w].waiting = recorded.work[w].waiting;
    }
    finish(trace);
    return trace;
}

} // namespace qcd
