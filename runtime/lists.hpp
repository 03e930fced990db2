#pragma once
// Iterations that are replayed (schedule.hpp) as lists of operations: what each worker executes in
// which order, what it waits for, and the copies between memories.

#include "runtime/batch.hpp"
#include "runtime/graph.hpp"
#include "runtime/schedule.hpp"

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

namespace qcd
{

/// The task of a list that has the data in its memory.
struct ListTask {
    int list;
    std::vector<Access> uses{};
    double flops = 0;
};

/// Lists as tasks that run at the same time.
struct MadeLists {
    std::vector<ListTask> tasks;
    std::vector<Together::List> lists;
    long operations = 0;
};

/// What is in one memory alone, or only read, is StarPU's data of the task there. Of data that are
/// written and used in several memories the first of these has StarPU's; each other one has a place
/// of its own for them, of which StarPU knows nothing but its size. Operations read and write the
/// place in their memory, and a copy comes before the first one that reads what was written in
/// another. (To the host it comes right behind the one that wrote.) At the end StarPU's have what
/// was written last. A copy between host and device is executed by the device's worker, one between
/// GPUs by the one that needs it; GPUs that reach each other's memory read what is only read there
/// without one.
class Lists
{
public:
    /// workers: StarPU's numbers; an only one may be -1, which means any. streams: how many the
    /// device of an only worker has, in which operations are enqueued side by side; each is a list
    /// then. gpus_reach: GPUs read each other's memory.
    Lists(std::vector<int> workers, std::size_t streams, bool gpus_reach);

    /// Adds an iteration, which is executed as its schedule says.
    void add(std::vector<Submitted>, Schedules::Entry&);
    /// Adds an operation to the end of the only list.
    void add(Submitted);

    /// Makes tasks of what was added. place(data, memory) is the place that the data have in this
    /// memory (StarPU's node); without data it is something that all tasks there write, so that
    /// they are executed in their order.
    MadeLists make(const std::function<Data(const Data&, unsigned memory)>& place);

private:
    struct Iteration {
        std::vector<Submitted> operations;
        Schedules::Entry* entry; // null: in the order in which they were submitted
    };
    struct Piece;
    class Maker;

    std::vector<int> workers_;
    std::size_t streams_;
    bool gpus_reach_;
    std::vector<Iteration> iterations_;
};

} // namespace qcd
