#pragma once

#include <memory>
#include <vector>

namespace qcd
{

class Ranks;
class Schedules;
class TaskTimes;

/// The ways of executing a graph of operations on parts of data (tiles).
///   graph   a task is one operation on one part; StarPU's scheduler chooses its worker
///   pinned  the same, but the part's owner executes it
///   batch   a task is several iterations on all parts: there is one worker
///   linked  a task is several iterations on one part, of which each worker owns one; workers move
///           what others need themselves, inside of their tasks (peer_memory.hpp)
///   replay  as a graph, until it is known who executes what of an iteration and in which order;
///           then a task is what a worker executes of several iterations (schedule.hpp)
enum class PlanKind { graph, pinned, batch, linked, replay };

/// Does StarPU's scheduler choose the worker of a task, if only at first?
constexpr bool has_scheduler(PlanKind kind)
{
    return kind == PlanKind::graph || kind == PlanKind::replay;
}

/// "graph", "pinned", ...: the same word in options, output and traces.
const char* to_string(PlanKind);

/// What a Graph must know of the plan of a run.
struct Plan {
    PlanKind kind = PlanKind::graph;
    int iterations = 1;        ///< most iterations of a task, where they are collected
    std::vector<int> owners{}; ///< StarPU's numbers: the worker of part i of n is owners[i *
                               ///< owners.size() / n]; empty: any
    int cores_per_worker = 1;  ///< that execute a CPU worker's task together: its own and those
                               ///< after it
    Ranks* ranks = nullptr;    ///< the processes that share the graph's data, each of which has a
                               ///< graph of its own; null: it is one
    const TaskTimes* times = nullptr;       ///< that tasks take, where they are simulated
    std::shared_ptr<Schedules> schedules{}; ///< of all graphs of a run that is replayed; else null

    /// Are whole iterations collected, to be one task, at the latest after some?
    bool collects() const { return kind != PlanKind::graph && kind != PlanKind::pinned; }
    bool operator==(const Plan&) const = default;
};

} // namespace qcd
