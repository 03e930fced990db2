#pragma once
// A recorded run as a value: what was executed where and when, and what was copied. Written to a
// folder and read from one (trace_folder.hpp). Times are seconds since the recording began.

#include "runtime/evictions.hpp"
#include "runtime/transfers.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace qcd
{

struct TraceWorker {
    std::string name;   ///< "CPU 0", "CUDA 1", ...: kind and number
    std::string kind;   ///< "CPU", "CUDA" or "OpenCL"
    std::string device; ///< workers of one device have one; cores are one
    /// Seconds outside of tasks, as StarPU's profiling counts them; nothing: not known, as of a
    /// part of a recording.
    std::optional<double> overhead{}; ///< of StarPU: it chose, began and ended tasks
    std::optional<double> waiting{};  ///< until data were there
    int rank = 0;
    int memory = 0; ///< index of Trace::memories: where it has its data
};

/// What a rank sent to another one: half spinors of a face, or a sum.
struct TraceMessage {
    std::string what; ///< "faces" or "sums"
    int from = 0, to = 0;
    double bytes = 0;
    double made = 0;     ///< the tasks before had written it, on whatever memory
    double sent = 0;     ///< MPI needs the sender's copy no longer
    double received = 0; ///< tasks of the other rank may read it
};

/// An operation of a task of its own, one inside of a batch, or a batch that was not looked into.
struct TraceTask {
    int operation = 0;  ///< index of Trace::operations
    int tile = -1;      ///< -1: of none
    int iteration = -1; ///< -1: outside of one
    int worker = 0;     ///< index of Trace::workers
    int batch = -1;     ///< which of its worker's; -1: a task of its own
    double submitted = 0, ready = 0, started = 0, ended = 0;
    double bytes = 0; ///< read and written, by the operation's contract
    double flops = 0; ///< by that, too
    /// The number of the operation as it was submitted, from 0 on, which no other one has; of a
    /// batch that was not looked into that of its first one. -1: not known, as of earlier versions.
    long job = -1;
};

/// An operation that another one waits for: both by job, and in Trace::tasks.
struct TraceDependency {
    long job, on;
    auto operator<=>(const TraceDependency&) const = default;
};

/// A piece of data that operations use.
struct TraceData {
    std::string name; ///< what the slot that it filled first holds
    int tile = -1;    ///< -1: of none
    double bytes = 0; ///< 0: not known, as of memory that linked workers write
    int rank = 0;
};

/// An operation's use of data, in the order of its slots.
struct TraceUse {
    long job;
    int data; ///< index of Trace::data
    enum Mode { reads, writes, updates } mode;
    bool operator==(const TraceUse&) const = default;
};

/// When an iteration began: the first start in it. Solves that follow each other begin anew.
struct IterationMark {
    int iteration;
    double time;
};

struct Trace {
    std::vector<std::pair<std::string, std::string>> about; ///< what ran: command, machine, ...
    std::vector<TraceWorker> workers;
    std::vector<std::string> memories; ///< by StarPU's number of the memory node
    std::vector<std::string> operations;
    std::vector<TraceTask> tasks; ///< by worker, those of one in the order of their starts
    std::vector<Transfer> transfers;
    std::vector<Eviction> evictions;
    std::vector<TraceMessage> messages;        ///< in the order in which they were made
    std::vector<TraceDependency> dependencies; ///< ascending
    std::vector<TraceData> data;
    std::vector<TraceUse> uses;       ///< jobs ascending
    std::vector<IterationMark> marks; ///< of those that begin in what is shown
    double from = 0, to = 0; ///< what is shown of it: all, from the first start to the last end

    std::string about_of(const std::string& key) const; ///< empty: nothing
};

/// Name of a batch that was not looked into.
inline constexpr const char* whole_batch = "batch";

/// Sets from, to and marks, and puts tasks, dependencies and uses in order; those of operations
/// that are no task of the trace go.
void finish(Trace&);

/// What overlaps with this time, cut at its ends. Throws Error if nothing does.
Trace cropped(const Trace&, double from, double to);

/// The time from the first start to the last end of these iterations. Throws Error if there is none.
std::pair<double, double> time_of_iterations(const Trace&, int first, int last);

/// A number that changes with time.
struct Step {
    double time;
    double value; ///< from then on
};
/// Tasks that were ready and had not started, operations of batches left out: of all
/// ranks, or of this one alone.
std::vector<Step> ready_tasks(const Trace&, int rank = -1);
/// Operations that were submitted and had not ended: of all ranks, or of this one alone.
std::vector<Step> submitted_operations(const Trace&, int rank = -1);
/// Bytes per second of the copies that go on, to a memory or from it, each at its mean rate.
enum class Direction { to, from };
std::vector<Step> copied_per_second(const Trace&, Direction, int memory);
/// Bytes per second of the operations that run, each at its mean rate.
std::vector<Step> bytes_per_second(const Trace&);

} // namespace qcd
