#pragma once
// The one place where tasks are inserted and data are waited for.

#include "codelets/runtime/batch.hpp"

#include <cstddef>
#include <vector>

namespace qcd
{

/// A piece of data in the graph. The owner rank is where it lives when several nodes run one graph;
/// the worker, if any, is the only one that executes the tasks that write it.
struct Data {
    starpu_data_handle_t handle = nullptr;
    int owner_rank = 0;
    int worker = -1;
    void* peer = nullptr; ///< in place of a handle: memory that linked workers write
    explicit operator bool() const { return handle != nullptr || peer != nullptr; }
};

/// Binds data created from now on: those of tile i of n to workers[i * workers.size() / n], those
/// of no tile as tile 0 of 1. Consecutive operations of one worker are merged into one task, unless
/// another worker needs a result of the earlier ones. Empty list: a task per operation, placed by
/// StarPU's scheduler.
/// `linked`: these workers are linked (linked_workers.hpp), one tile each.
void assign_tiles(std::vector<int> workers, bool linked = false);
/// Submits the operations merged so far, because other workers need their results. Does nothing in
/// a TaskBatch or with linked workers.
void hand_over();
/// -1: any.
int worker_of(int tile, int tile_count);

/// While one lives each operation is a task of its own, also with assigned tiles. One at a time, no
/// TaskBatch open.
class SeparateTasks
{
public:
    SeparateTasks();
    ~SeparateTasks();
    SeparateTasks(const SeparateTasks&) = delete;
    SeparateTasks& operator=(const SeparateTasks&) = delete;
};

/// A task's use of one slot of its operation; an absent slot has no data.
struct Access {
    Data data;
    starpu_data_access_mode mode = STARPU_R;
    bool in_part = false; ///< most of the data is not looked at
};

inline Access reads(const Data& d) { return {d, STARPU_R}; }
inline Access reads_part(const Data& d) { return {d, STARPU_R, true}; }
inline Access writes(const Data& d) { return {d, STARPU_W}; }
inline Access updates(const Data& d) { return {d, STARPU_RW}; }

enum class Priority { normal, early }; ///< early: others wait for it (halos, scalars)

/// Submits one task. `args` (args_size bytes of the operation) is copied; slots in the operation's
/// order. Returns at once. Throws DeviceError when no worker of this run can execute the operation.
void submit_task(const Codelet&, const void* args, const std::vector<Access>& slots,
                 double flops = 0, Priority = Priority::normal);

/// As above for an operation's own argument struct.
template <class Args>
void submit(const Codelet& c, const Args& args, const std::vector<Access>& slots, double flops = 0,
            Priority priority = Priority::normal)
{
    submit_task(c, static_cast<const void*>(&args), slots, flops, priority);
}

/// While one is open, what is submitted is collected, and goes to StarPU as one task at the next
/// flush() or when something is waited for (one task for each of linked workers). One at a time;
/// with tiles of several workers that are not linked it does nothing.
class TaskBatch
{
public:
    explicit TaskBatch(bool open);
    /// Drops what was not flushed: then an exception is on its way.
    ~TaskBatch();
    TaskBatch(const TaskBatch&) = delete;
    TaskBatch& operator=(const TaskBatch&) = delete;
    /// Submits what was collected. In traces it is called by the number of its IterationMarks.
    void flush();

private:
    bool open_;
};

/// StarPU tasks submitted since the start of the program.
long submitted_tasks();

/// Waits until the host may use the data; release them soon.
void acquire(const Data&, starpu_data_access_mode);
void release(const Data&);
/// Waits for the tasks that use the data and forgets the handle; its contents are lost.
void unregister(const Data&);
/// Waits for all tasks; only set-up and the end of a solve do.
void wait_for_all();

/// Tags the tasks submitted during its life with an iteration number, for traces.
class IterationMark
{
public:
    explicit IterationMark(int iteration);
    ~IterationMark();
    IterationMark(const IterationMark&) = delete;
    IterationMark& operator=(const IterationMark&) = delete;
};

} // namespace qcd
