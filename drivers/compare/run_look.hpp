#pragma once
// Where the workers' time went in one run: what is left of its record when the next one begins.

#include "drivers/run/run_record.hpp"

#include <compare>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace qcd
{

/// Tasks that are alike: operation and what a call of it moves and computes, by which tiles of
/// unequal size are told apart.
struct Sort {
    std::string operation;
    double bytes = 0, flops = 0;
    auto operator<=>(const Sort&) const = default;
};

/// Tasks of one sort on one kind of workers.
struct Busy {
    long count = 0;
    double seconds = 0, fastest = 0;
    // Tasks whose length the scheduler had expected, and what it expected.
    long foreseen = 0;
    double foreseen_seconds = 0, foreseen_squares = 0, predicted = 0;
};

/// Seconds in which workers executed nothing, of all of them together.
struct Idle {
    double transfers = 0;  ///< their next task waited for its data
    double reductions = 0; ///< nothing could run before a number was made of all parts: the next
                           ///< task makes one, or waited for one last
    double other = 0;      ///< nothing could run, else
    double runtime = 0; ///< a task could run, or had not been submitted; and the end of the solve
    double all() const { return transfers + reductions + other + runtime; }
};

struct RunLook {
    double seconds = 0; ///< of the solve, begin to end
    std::vector<WorkerKind> kinds{};
    std::map<std::pair<Sort, std::string>, Busy> busy{}; ///< on the kind of that name
    Idle idle{};
    double median_task = 0; ///< seconds; 0: most operations are in tasks of many
    int workers() const;
};

/// Operations that count: those of iterations from `iterations` on were submitted ahead, and did
/// nothing.
struct Counted {
    int iterations = 0;
    bool operator()(int iteration) const { return iteration < iterations; }
};

/// graph: of this run or of another of the same case; null: not known. any_worker: each may execute
/// what is ready.
RunLook look_at(const RunRecord&, const TaskGraph* graph, Counted, bool any_worker);

} // namespace qcd
