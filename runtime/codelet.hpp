#pragma once
// The only wrapper around StarPU's codelet: one operation = one CodeletFamily, a Codelet per
// precision.

#include "lattice/link_storage.hpp"
#include "lattice/precision.hpp"
#include "runtime/cpu_team.hpp"
#include "runtime/cuda_call.hpp"
#include "runtime/work.hpp"

#include <starpu.h>

#include <array>
#include <cstddef>
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

/// An operation in one precision; null: not built, or it has no such precision.
struct PrecisionKernels {
    std::array<CpuKernel, 3> cpu;   // [isa]
    std::array<CudaKernel, 2> cuda; // for rows of 64, 128 bytes
};
using Kernels = std::array<PrecisionKernels, 3>; // [precision]

struct CodeletFamily;

/// One operation in one precision.
struct Codelet {
    mutable starpu_codelet cl; // first: StarPU hands back its address
    starpu_perfmodel model;
    const CodeletFamily* family;
    Precision precision;
    PrecisionKernels kernels;
    CpuKernel cpu; // the one for cpu_isa()
    char name[48];

    CudaKernel cuda_kernel(int row_bytes) const { return kernels.cuda[row_bytes == 128]; }
};

/// What an operation is. The functions read its arguments.
struct Operation {
    const char* name;
    std::size_t args_size;
    int slots;                             ///< number of buffers when none is absent
    LinkStorage links = LinkStorage::full; ///< of the links it reads, if any
    int sums_slot = -1;                    ///< where exact sums are returned; -1: nowhere
    int gate_slot = -1; ///< of scalars that let a call do nothing once their gate is closed
    int (*blocks)(
        const void* args); ///< of 32 lanes: OpenCL's work items cover them, cores share them
    /// The name of the OpenCL kernel for a call, without _kernel; null: there is only NAME.
    const char* (*opencl_kernel)(Precision, const void* args, void* const* slots) = nullptr;
    /// Where OpenCL devices add over a warp's lanes (opencl_sums.h): work groups of a compute unit
    /// that stay, and go from block to block; 0: a group for every four blocks.
    int staying_groups = 0;
    bool opencl = true;    ///< has an OpenCL kernel
    bool all_sites = true; ///< goes through all of a tile, where it does not work on scalars
    bool scalars = false;  ///< works on scalars and sums: in OpenCL a program of its own
    /// Slots of sums that its CUDA and OpenCL kernels clear after reading, if told so.
    unsigned clears = 0;
};

/// Operation::blocks where arguments say them.
template <class Args>
int blocks_in(const void* args)
{
    return static_cast<const Args*>(args)->blocks;
}

/// One operation in all precisions.
struct CodeletFamily : Operation {
    CodeletFamily(const Operation&, const Kernels&);
    CodeletFamily(const CodeletFamily&) = delete;
    CodeletFamily& operator=(const CodeletFamily&) = delete;
    const Codelet& operator[](Precision p) const { return codelets_[int(p)]; }

private:
    Codelet codelets_[3];
};

/// Most slots that an operation has; fewer than TaskHeader has bits.
inline constexpr int max_slots = 28;

/// `see` is called before each operation that a CPU worker executes as a task, with what StarPU
/// gives its function; null: nothing is. Changes only while no task runs.
void observe_cpu_tasks(void (*see)(void* buffers[], void* arg));

/// What a task carries besides its handles, followed by the operation's arguments.
struct alignas(16) TaskHeader {
    unsigned present; // a bit for each slot that is filled
    Manner manner;
    Work work;
};
inline constexpr std::size_t task_header_bytes = sizeof(TaskHeader);

} // namespace qcd
