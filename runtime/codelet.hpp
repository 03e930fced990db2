#pragma once
// The only wrapper around StarPU's codelet: an operation in one of its variants, with the kernels
// that were built of it.

#include "runtime/cpu_team.hpp"
#include "runtime/cuda_call.hpp"
#include "runtime/events.hpp"
#include "runtime/operation.hpp"
#include "runtime/placed.hpp"

#include <starpu.h>

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace qcd
{

/// Instruction sets that the CPU kernels are compiled for.
enum class Isa { generic, avx2, avx512 };
/// The best one of this CPU, or the one named by QCD_ISA in the environment if the CPU has it.
Isa cpu_isa();
const char* to_string(Isa);

/// CUDA devices of this machine that this build has kernels for, by CUDA's number; none without
/// CUDA.
std::vector<int> cuda_devices();
int all_cuda_devices(); ///< with those that it has no kernels for
/// Why there are none, or fewer: no driver, one that is too old for this build, ...; else empty.
std::string cuda_problem();

/// Arguments as those of a CpuKernel.
using CudaKernel = void (*)(const void* args, void* const* buffers, const CudaCall&);

/// An OpenCL program: a text and the options it is compiled with.
struct OpenclProgram {
    const char* text = nullptr; ///< null: there is none
    std::string options{};
};

/// Kernels of one variant; null where a kind of worker has none.
struct Kernels {
    std::array<CpuKernel, 3> cpu{}; // [isa]
    CudaKernel cuda = nullptr;
    OpenclProgram opencl{};
};

/// One variant of an operation. Variants are numbered by whoever has several: precisions, ...
struct Codelet {
    /// Throws Error when the table has more slots than max_slots.
    Codelet(const Operation&, int variant, std::string name, Kernels);
    ~Codelet();
    Codelet(const Codelet&) = delete;
    Codelet& operator=(const Codelet&) = delete;

    const Operation& operation;
    const std::vector<Slot> slots; ///< Operation::each_slot()
    const int variant;
    const std::string name; ///< of its tasks
    const Kernels kernels;
    const CpuKernel cpu; ///< the one for cpu_isa()

    /// Has it a kernel for StarPU's worker of this number; -1: for one that is present?
    bool can_run(int worker) const;

    /// StarPU's codelet of tasks executed in this manner, each with its own performance model,
    /// whose symbol names instruction set and cores of a worker. It lives as long as this.
    starpu_codelet& starpu(const Manner&) const;

private:
    struct Registered;
    mutable std::mutex mutex_;
    mutable std::map<int, std::unique_ptr<Registered>> registered_; // by cores of a worker
};

class TaskObserver;
class TaskTimes;

/// What a task carries besides its handles, followed by the operation's arguments.
struct alignas(16) TaskHeader {
    Origin origin;
    Manner manner;
    TaskObserver* observer; // null: nobody
    Events* events;         // null: nobody records
    double ready;           // of Event, set where somebody records
    const TaskTimes* times; // null: it is not simulated
    Placed* placed;         // null: nobody takes down who executes it
};
inline constexpr std::size_t task_header_bytes = sizeof(TaskHeader);
/// The header of a task that is one operation.
inline const TaskHeader& header_of(const starpu_task& task)
{
    return *static_cast<const TaskHeader*>(task.cl_arg);
}

/// Sees the tasks of a graph that CPU workers execute one by one (Graph::observe).
class TaskObserver
{
public:
    virtual ~TaskObserver() = default;
    /// Called before the kernel, by its worker; buffers and args as StarPU has them.
    virtual void before(starpu_task*, void* const* buffers, const TaskHeader&,
                        const void* args) = 0;
};

} // namespace qcd
