#pragma once
// Loops for cores, and launches of CUDA, of the studies' operations. A study's kernels.h has a line
// for each that all kinds of workers have, OpenCL's, too (opencl_kernels.h):
//   QCD_CELL_KERNELS(NAME, ARGS, SLOTS)  NAME_cell(ARGS, SLOTS_buffers, x, y), where args have
//                                        columns and rows; x is the place that lies together
//   QCD_GROUP_KERNELS(NAME, ARGS, SLOTS, GROUPS)  NAME_group(ARGS, SLOTS_buffers, group, local
//                                        memory), by all threads of a group; GROUPS(args), a
//                                        WorkGroups
//   QCD_DEVICE_GROUP_KERNELS(NAME, ARGS, SLOTS, GROUPS)  the latter on devices alone
// Cores may have loops of their own, in kernels.cpp: of cells with QCD_DEVICE_CELL_KERNELS.

#include "studies/frame/dialect.h"
#include "studies/frame/groups.hpp"

#include <cstring>

QCD_BEGIN

/// A call of NAME_cell or NAME_group, by its type.
template <class Function>
struct StudyCall;
template <class Args, class Buffers, class Place, class Last>
struct StudyCall<void(Args, Buffers, Place, Last)> {
    using Memory = Last; ///< of a group
    Args args;
    Buffers buffers;
};
template <class Function>
static inline StudyCall<Function> study_call(const void* args, void* const* p)
{
    StudyCall<Function> call;
    std::memcpy(&call.args, args, sizeof call.args);
    std::memcpy(&call.buffers, p, sizeof call.buffers);
    return call;
}

QCD_END

#ifdef __CUDACC__

#include "runtime/cuda_call.hpp"

#include <cuda_runtime.h>

QCD_BEGIN

/// Enqueues kernel(call); errors are found by cudaGetLastError().
template <class Call>
void study_launch(void (*kernel)(Call), const Call& call, const WorkGroups& groups,
                  CUstream_st* stream)
{
    constexpr std::size_t allowed_to_all = 48 * 1024; // bytes of shared memory
    if (groups.count <= 0) return;
    if (groups.local_bytes > allowed_to_all)
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             int(groups.local_bytes));
    kernel<<<groups.count, groups.items, groups.local_bytes, stream>>>(call);
}

QCD_END

#define QCD_CELL_KERNELS(name, types, slots)                                                       \
    QCD_BEGIN                                                                                      \
    static __global__ void name##_kernel(StudyCall<decltype(name##_cell)> c)                       \
    {                                                                                              \
        QCD_STUDY_CELL(name, c.args, c.buffers);                                                   \
    }                                                                                              \
    void name##_cuda(const void* args, void* const* p, const CudaCall& call)                       \
    {                                                                                              \
        const auto c = study_call<decltype(name##_cell)>(args, p);                                 \
        study_launch(name##_kernel, c, studies::cell_groups(c.args), call.stream);                 \
    }                                                                                              \
    QCD_END

#define QCD_DEVICE_GROUP_KERNELS(name, types, slots, groups)                                       \
    QCD_BEGIN                                                                                      \
    static __global__ void name##_kernel(StudyCall<decltype(name##_group)> c)                      \
    {                                                                                              \
        extern __shared__ double2 study_memory[];                                                  \
        using Memory = StudyCall<decltype(name##_group)>::Memory;                                  \
        name##_group(c.args, c.buffers, QCD_GROUP_ID(), reinterpret_cast<Memory>(study_memory));   \
    }                                                                                              \
    void name##_cuda(const void* args, void* const* p, const CudaCall& call)                       \
    {                                                                                              \
        const auto c = study_call<decltype(name##_group)>(args, p);                                \
        study_launch(name##_kernel, c, groups(c.args), call.stream);                               \
    }                                                                                              \
    QCD_END

#define QCD_GROUP_KERNELS QCD_DEVICE_GROUP_KERNELS
#define QCD_DEVICE_CELL_KERNELS QCD_CELL_KERNELS

#else

#include "runtime/cpu_team.hpp"

#include <memory>

// Cells do not depend on each other: one that is written is read by no other.
#define QCD_CELL_KERNELS(name, types, slots)                                                       \
    QCD_BEGIN                                                                                      \
    void name##_cpu(const void* args, void* const* p, CpuShare share)                              \
    {                                                                                              \
        const auto [a, f] = study_call<decltype(name##_cell)>(args, p);                            \
        for (int y = share.first(a.rows); y < share.end(a.rows); ++y) {                            \
            _Pragma("GCC ivdep") for (int x = 0; x < a.columns; ++x) name##_cell(a, f, x, y);      \
        }                                                                                          \
    }                                                                                              \
    QCD_END

#define QCD_GROUP_KERNELS(name, types, slots, groups)                                              \
    QCD_BEGIN                                                                                      \
    void name##_cpu(const void* args, void* const* p, CpuShare share)                              \
    {                                                                                              \
        using Call = StudyCall<decltype(name##_group)>;                                            \
        const auto [a, f] = study_call<decltype(name##_group)>(args, p);                           \
        const WorkGroups all = groups(a);                                                          \
        const std::unique_ptr<char[]> memory(new char[all.local_bytes]);                           \
        for (int g = share.first(all.count); g < share.end(all.count); ++g)                        \
            name##_group(a, f, g, reinterpret_cast<Call::Memory>(memory.get()));                   \
    }                                                                                              \
    QCD_END

#define QCD_DEVICE_GROUP_KERNELS(name, types, slots, groups)
#define QCD_DEVICE_CELL_KERNELS(name, types, slots)

#endif
