#pragma once
// Loops for cores, and launches of CUDA, of the studies' operations: one text for both, as OpenCL's
// kernel.cl has for the third. An operation NAME has in args.h and site.h
//   NAME_args     what it is told
//   NAME_buffers  pointers in the order of the slots, of which it has the first
// and one of these, in kernels.cpp after its site.h:
//   QCD_CELL_KERNELS(NAME)     NAME_columns(args), NAME_rows(args); NAME_cell(args, buffers, x, y)
//   QCD_STENCIL_KERNELS(NAME)  the same, and of cells whose neighbours all are in the part, those
//                              from NAME_margin on in rows of which NAME_inner_row(args, y) is
//                              true, NAME_inner(args, buffers, x, y)
//   QCD_GROUP_KERNELS(NAME)    NAME_groups(args), a WorkGroups; NAME_group(args, buffers, group,
//                              local memory), by all threads of a group
//   QCD_DEVICE_GROUP_KERNELS(NAME)  the latter on devices alone
// In rows x is the place that lies together.

#include "codelets/device/lang.h"
#include "codelets/device/threads.h"
#include "studies/frame/groups.hpp"

#include <cstring>

QCD_BEGIN

/// A struct of pointers in the order of the slots, of which it has the first.
template <class Buffers>
static inline Buffers study_buffers(void* const* p)
{
    Buffers b;
    std::memcpy(&b, p, sizeof b);
    return b;
}

QCD_END

#ifdef __CUDACC__

#include "runtime/cuda_call.hpp"

#include <cuda_runtime.h>

QCD_BEGIN

/// Enqueues kernel(args, buffers); errors are found by cudaGetLastError().
template <class Args, class Buffers>
void study_launch(void (*kernel)(Args, Buffers), const WorkGroups& groups, const void* args,
                  void* const* p, const CudaCall& call)
{
    constexpr std::size_t allowed_to_all = 48 * 1024; // bytes of shared memory
    if (groups.count <= 0) return;
    if (groups.local_bytes > allowed_to_all)
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             int(groups.local_bytes));
    kernel<<<groups.count, groups.items, groups.local_bytes, call.stream>>>(
        *static_cast<const Args*>(args), study_buffers<Buffers>(p));
}

QCD_END

#define QCD_CELL_LAUNCH(name)                                                                      \
    void name##_cuda(const void* args, void* const* p, const CudaCall& call)                       \
    {                                                                                              \
        const auto& a = *static_cast<const name##_args*>(args);                                    \
        study_launch(name##_kernel, studies::cell_groups(name##_columns(a), name##_rows(a)), args, \
                     p, call);                                                                     \
    }

#define QCD_CELL_KERNELS(name)                                                                     \
    QCD_BEGIN                                                                                      \
    static __global__ void name##_kernel(name##_args a, name##_buffers f)                          \
    {                                                                                              \
        const int item = QCD_GROUP_ID() * QCD_THREADS() + QCD_THREAD_ID(),                         \
                  columns = name##_columns(a), y = item / columns;                                 \
        if (y < name##_rows(a)) name##_cell(a, f, item % columns, y);                              \
    }                                                                                              \
    QCD_CELL_LAUNCH(name)                                                                          \
    QCD_END

#define QCD_STENCIL_KERNELS(name)                                                                  \
    QCD_BEGIN                                                                                      \
    static __global__ void name##_kernel(name##_args a, name##_buffers f)                          \
    {                                                                                              \
        const int item = QCD_GROUP_ID() * QCD_THREADS() + QCD_THREAD_ID(),                         \
                  columns = name##_columns(a), x = item % columns, y = item / columns;             \
        if (y >= name##_rows(a)) return;                                                           \
        if (name##_inner_row(a, y) && x >= name##_margin && x < columns - name##_margin)           \
            name##_inner(a, f, x, y);                                                              \
        else                                                                                       \
            name##_cell(a, f, x, y);                                                               \
    }                                                                                              \
    QCD_CELL_LAUNCH(name)                                                                          \
    QCD_END

#define QCD_DEVICE_GROUP_KERNELS(name)                                                             \
    QCD_BEGIN                                                                                      \
    static __global__ void name##_kernel(name##_args a, name##_buffers f)                          \
    {                                                                                              \
        extern __shared__ double2 study_memory[];                                                  \
        name##_group(a, f, QCD_GROUP_ID(), reinterpret_cast<name##_local*>(study_memory));         \
    }                                                                                              \
    void name##_cuda(const void* args, void* const* p, const CudaCall& call)                       \
    {                                                                                              \
        study_launch(name##_kernel, name##_groups(*static_cast<const name##_args*>(args)), args,   \
                     p, call);                                                                     \
    }                                                                                              \
    QCD_END

#define QCD_GROUP_KERNELS(name) QCD_DEVICE_GROUP_KERNELS(name)

#else

#include "runtime/cpu_team.hpp"

#include <memory>

// Cells do not depend on each other: one that is written is read by no other.
#define QCD_CELL_KERNELS(name)                                                                     \
    QCD_BEGIN                                                                                      \
    void name##_cpu(const void* args, void* const* p, CpuShare share)                              \
    {                                                                                              \
        const auto a = *static_cast<const name##_args*>(args);                                     \
        const auto f = study_buffers<name##_buffers>(p);                                           \
        const int rows = name##_rows(a), columns = name##_columns(a);                              \
        for (int y = share.first(rows); y < share.end(rows); ++y) {                                \
            _Pragma("GCC ivdep") for (int x = 0; x < columns; ++x) name##_cell(a, f, x, y);        \
        }                                                                                          \
    }                                                                                              \
    QCD_END

#define QCD_STENCIL_KERNELS(name)                                                                  \
    QCD_BEGIN                                                                                      \
    void name##_cpu(const void* args, void* const* p, CpuShare share)                              \
    {                                                                                              \
        const auto a = *static_cast<const name##_args*>(args);                                     \
        const auto f = study_buffers<name##_buffers>(p);                                           \
        const int rows = name##_rows(a), columns = name##_columns(a);                              \
        for (int y = share.first(rows); y < share.end(rows); ++y) {                                \
            int x = 0;                                                                             \
            if (name##_inner_row(a, y) && columns > 2 * name##_margin) {                           \
                for (; x < name##_margin; ++x) name##_cell(a, f, x, y);                            \
                _Pragma("GCC ivdep") for (; x < columns - name##_margin; ++x)                      \
                    name##_inner(a, f, x, y);                                                      \
            }                                                                                      \
            for (; x < columns; ++x) name##_cell(a, f, x, y);                                      \
        }                                                                                          \
    }                                                                                              \
    QCD_END

#define QCD_GROUP_KERNELS(name)                                                                    \
    QCD_BEGIN                                                                                      \
    void name##_cpu(const void* args, void* const* p, CpuShare share)                              \
    {                                                                                              \
        const auto a = *static_cast<const name##_args*>(args);                                     \
        const auto f = study_buffers<name##_buffers>(p);                                           \
        const WorkGroups groups = name##_groups(a);                                                \
        const std::unique_ptr<char[]> memory(new char[groups.local_bytes]);                        \
        for (int g = share.first(groups.count); g < share.end(groups.count); ++g)                  \
            name##_group(a, f, g, reinterpret_cast<name##_local*>(memory.get()));                  \
    }                                                                                              \
    QCD_END

#define QCD_DEVICE_GROUP_KERNELS(name)

#endif
