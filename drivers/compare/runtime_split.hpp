#pragma once
// What the workers of a graph did in a solve, step by step of StarPU's way with a task: what its
// runtime cost (docs/compare.md).

#include "drivers/run/run_record.hpp"

#include <optional>

namespace qcd
{

/// Seconds of one solve, of all workers together over how many they are: from `executing` to
/// `other` they add up to `seconds`.
struct RuntimeSplit {
    double seconds = 0; ///< of the solve
    long tasks = 0;
    double executing = 0;    ///< functions of tasks
    double waiting = 0;      ///< what the next task needs was not computed yet
    double submission = 0;   ///< the next task was not submitted yet
    double dependencies = 0; ///< from the end of one task until those that wait for it are known to
                             ///< be ready
    double decision = 0;     ///< in the scheduler, which is given a task, or asked for one
    double queueing = 0;     ///< the task was in a queue, and the free worker had not asked yet
    double data = 0;         ///< the worker had the task, and its data were not there
    double other = 0;        ///< they were, and its function had not begun
    double submitting = 0;   ///< of the thread that submits, at the same time as all of these
    double runtime() const
    {
        return submission + dependencies + decision + queueing + data + other;
    }
};

/// first: number of the first operation of the graph, which is node 0. Nothing where a task is not
/// in the graph.
std::optional<RuntimeSplit> split_of(const Stamped&, const TaskGraph&, long first, int workers);

} // namespace qcd
