#pragma once

#include <vector>

namespace qcd
{

class Ranks;
class TaskTimes;

/// The ways of executing a graph of operations on parts of data (tiles).
///   graph   a task is one operation on one part; StarPU's scheduler chooses its worker
///   pinned  the same, but the part's owner executes it
///   batch   a task is several iterations on all parts: there is one worker
///   linked  a task is several iterations on one part, of which each worker owns one; workers move
///           what others need themselves, inside of their tasks (peer_memory.hpp)
enum class PlanKind { graph, pinned, batch, linked };

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
    const TaskTimes* times = nullptr; ///< that tasks take, where they are simulated

    /// Are whole iterations collected, to be one task?
    bool collects() const { return kind == PlanKind::batch || kind == PlanKind::linked; }
    bool operator==(const Plan&) const = default;
};

} // namespace qcd
