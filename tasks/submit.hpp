#pragma once
// The one place where tasks are inserted.

#include "codelets/runtime/codelet.hpp"

#include <cstddef>
#include <vector>

namespace qcd
{

/// A piece of data in the graph. The owner rank is where it lives when several nodes run one graph.
struct Data {
    starpu_data_handle_t handle = nullptr;
    int owner_rank = 0;
    explicit operator bool() const { return handle != nullptr; }
};

/// A task's use of one slot of its operation; an absent slot has no data.
struct Access {
    Data data;
    starpu_data_access_mode mode = STARPU_R;
};

inline Access reads(const Data& d) { return {d, STARPU_R}; }
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

/// Tasks submitted since the start of the program.
long submitted_tasks();

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
