#pragma once
// What happened in a solve, operation by operation, for who asks for it (compare).

#include "drivers/run/run_observer.hpp"
#include "runtime/task_graph.hpp"
#include "runtime/task_stamps.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace qcd
{

/// A kind of workers, as "CPU", "CPU of 2 cores", "CUDA", and how much of them there is.
struct WorkerKind {
    std::string name;
    int workers = 0;
    double flops = 0; ///< of their tasks, as StarPU counts; in sessions with devices, else 0
};

/// When StarPU did what with the tasks of one operation.
struct Stamped {
    std::vector<TaskStamps> tasks{};
    double began = 0, ended = 0; ///< of the solve, on StarPU's clock
    double submitting = 0;       ///< StampRecord
};

struct RunRecord : RunObserver {
    // Asked for before the run.
    bool with_graph = false;  ///< what waits for what
    bool disturbing = false;  ///< events also where devices work: then a run takes longer
    bool with_stamps = false; ///< of StarPU, which profiles for it: the same

    std::optional<TaskGraph> graph{};
    std::vector<Event> events{};      ///< of the solve; empty where nobody looked
    bool all_events = true;           ///< false: there were more than are kept
    long first = 0;                   ///< number of its first operation
    double began = 0, ended = 0;      ///< on the clock of the events
    std::optional<Stamped> stamped{}; ///< nothing: there were more tasks than are kept
    std::vector<WorkerKind> kinds{};
    std::vector<int> kind_of{}; ///< by StarPU's number of a worker

    std::optional<int> every_batch(const WorkerCounts& w) const override
    {
        return disturbing || w.only_cores() ? std::optional(1) : std::nullopt;
    }
    void begin(Graph&, const Session&) override; ///< one solve alone follows
    void solved() override;
    void end(const std::vector<WorkDone>&, const WorkerCounts&, Events*) override;

private:
    std::unique_ptr<GraphRecord> recording_;
    std::unique_ptr<Profiling> profiling_;
    std::unique_ptr<StampRecord> stamping_;
};

} // namespace qcd
