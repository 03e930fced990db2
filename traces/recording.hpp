#pragma once
// From what was recorded of a graph to a trace.

#include "runtime/events.hpp"
#include "runtime/session.hpp"
#include "runtime/task_graph.hpp"
#include "traces/trace.hpp"

namespace qcd
{

/// What was recorded beside the events, on the clock of events.
struct Recorded {
    std::vector<Transfer> transfers{};
    std::vector<Eviction> evictions{};
    std::vector<WorkDone> work{};     ///< of each worker, by StarPU's number; empty: not known
    const TaskGraph* graph = nullptr; ///< null: nobody recorded what waits for what
    long first = 0;                   ///< number of its first operation, which is job 0
};

/// began: Events::began(). While StarPU's workers are there. `about` is left to who knows.
Trace make_trace(const std::vector<Event>&, Recorded, double began);

} // namespace qcd
