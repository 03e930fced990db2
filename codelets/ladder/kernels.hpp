#pragma once
// Loops for cores, and launches of CUDA, of operations on vectors. Such an operation has in slots.h
// and site.h
//   NAME_args     with `vector`
//   NAME_buffers  pointers in the order of the slots
//   NAME_item     (NAME_args, NAME_buffers, int item) -> void, or the ladder_sum of this item
// and at the end of site.h one line, which is read by OpenCL, too (opencl_kernels.h):
//   QCD_LADDER_KERNELS(NAME)
//   QCD_LADDER_SUM_KERNELS(NAME)     a sum of each group of items, into the slot NAME_sums
//   QCD_LADDER_SINGLE_KERNELS(NAME)  by one thread: NAME_item(NAME_args, NAME_buffers), no `vector`

#ifdef __CUDACC__

#include "codelets/ladder/cuda_groups.cuh"
#include "codelets/ladder/reduce.h"

#define QCD_LADDER_KERNELS(name)                                                                   \
    QCD_BEGIN                                                                                      \
    static __global__ void name##_kernel(name##_args a, KernelBuffers p)                           \
    {                                                                                              \
        const int item = QCD_GROUP_ID() * QCD_LADDER_GROUP + QCD_THREAD_ID();                      \
        if (item < ladder_items(a.vector)) name##_item(a, buffers_of<name##_buffers>(p), item);    \
    }                                                                                              \
    QCD_LADDER_LAUNCH(name, ladder_vector_groups<name##_args>(0, args))                            \
    QCD_END

#define QCD_LADDER_SUM_KERNELS(name)                                                               \
    QCD_BEGIN                                                                                      \
    static __global__ void name##_kernel(name##_args a, KernelBuffers p)                           \
    {                                                                                              \
        extern __shared__ double2 ladder_memory[];                                                 \
        const int item = QCD_GROUP_ID() * QCD_LADDER_GROUP + QCD_THREAD_ID();                      \
        ladder_sum own = ladder_no_sum();                                                          \
        if (item < ladder_items(a.vector))                                                         \
            own = name##_item(a, buffers_of<name##_buffers>(p), item);                             \
        ladder_reduce_group(own, reinterpret_cast<ladder_sum*>(ladder_memory),                     \
                            buffer<ladder_sum>(p, name##_sums));                                   \
    }                                                                                              \
    QCD_LADDER_LAUNCH(name, ladder_sum_groups<name##_args>(0, args))                               \
    QCD_END

#define QCD_LADDER_SINGLE_KERNELS(name)                                                            \
    QCD_BEGIN                                                                                      \
    static __global__ void name##_kernel(name##_args a, KernelBuffers p)                           \
    {                                                                                              \
        if (QCD_THREAD_ID() == 0) name##_item(a, buffers_of<name##_buffers>(p));                   \
    }                                                                                              \
    QCD_LADDER_LAUNCH(name, ladder_one_group(0, args))                                             \
    QCD_END

#else

#include "codelets/ladder/elements.h"
#include "codelets/launch/cpu_launch.hpp"

QCD_BEGIN

/// Sums of the share's groups of items, each in the order of its items.
template <class Args, class Item>
static inline __attribute__((always_inline)) void sum_groups(const Args& a, CpuShare share,
                                                             ladder_sum* sums, const Item& item_of)
{
    const int items = ladder_items(a.vector),
              groups = (items + QCD_LADDER_GROUP - 1) / QCD_LADDER_GROUP;
    for (int g = share.first(groups); g < share.end(groups); ++g) {
        ladder_sum sum = ladder_no_sum();
        for (int i = g * QCD_LADDER_GROUP; i < items && i < (g + 1) * QCD_LADDER_GROUP; ++i)
            sum = ladder_add_sums(sum, item_of(a, i));
        sums[g] = sum;
    }
}

QCD_END

// A core's item is a spinor in either form: only sums can tell.
#define QCD_LADDER_KERNELS(name)                                                                   \
    QCD_BEGIN                                                                                      \
    void name##_cpu(const void* args, void* const* p, CpuShare share)                              \
    {                                                                                              \
        auto a = *static_cast<const name##_args*>(args);                                           \
        a.vector.a_spinor = 1;                                                                     \
        const auto f = buffers_of<name##_buffers>(p);                                              \
        const int items = ladder_items(a.vector);                                                  \
        for (int i = share.first(items); i < share.end(items); ++i) name##_item(a, f, i);          \
    }                                                                                              \
    QCD_END

// The form is known to the loop when it is compiled.
#define QCD_LADDER_SUM_KERNELS(name)                                                               \
    QCD_BEGIN                                                                                      \
    void name##_cpu(const void* args, void* const* p, CpuShare share)                              \
    {                                                                                              \
        auto a = *static_cast<const name##_args*>(args);                                           \
        const auto f = buffers_of<name##_buffers>(p);                                              \
        ladder_sum* sums = buffer<ladder_sum>(p, name##_sums);                                     \
        const auto item = [&](const name##_args& b, int i) { return name##_item(b, f, i); };       \
        if (a.vector.a_spinor) {                                                                   \
            a.vector.a_spinor = 1;                                                                 \
            sum_groups(a, share, sums, item);                                                      \
        } else {                                                                                   \
            a.vector.a_spinor = 0;                                                                 \
            sum_groups(a, share, sums, item);                                                      \
        }                                                                                          \
    }                                                                                              \
    QCD_END

#define QCD_LADDER_SINGLE_KERNELS(name)                                                            \
    QCD_BEGIN                                                                                      \
    void name##_cpu(const void* args, void* const* p, CpuShare share)                              \
    {                                                                                              \
        if (share.index == 0)                                                                      \
            name##_item(*static_cast<const name##_args*>(args), buffers_of<name##_buffers>(p));    \
    }                                                                                              \
    QCD_END

#endif
