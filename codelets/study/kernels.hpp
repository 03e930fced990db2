#pragma once
// Loops for cores, and launches of CUDA, of operations on vectors. Such an operation has in args.h
// and site.h
//   NAME_args     with `vector`
//   NAME_buffers  pointers in the order of the slots
//   NAME_item     (NAME_args, NAME_buffers, int item) -> void, or the study_sum of this item
// and in kernel.cpp, after its site.h, one line:
//   QCD_STUDY_KERNELS(NAME)
//   QCD_STUDY_SUM_KERNELS(NAME)     a sum of each group of items, into the slot NAME_sums
//   QCD_STUDY_SINGLE_KERNELS(NAME)  by one thread: NAME_item(NAME_args, NAME_buffers), no `vector`

#ifdef __CUDACC__

#include "codelets/study/cuda_groups.cuh"
#include "codelets/study/reduce.h"

#define QCD_STUDY_KERNELS(name)                                                                    \
    QCD_BEGIN                                                                                      \
    static __global__ void name##_kernel(name##_args a, KernelBuffers p)                           \
    {                                                                                              \
        const int item = QCD_GROUP_ID() * QCD_STUDY_GROUP + QCD_THREAD_ID();                       \
        if (item < study_items(a.vector)) name##_item(a, buffers_of<name##_buffers>(p), item);     \
    }                                                                                              \
    void name##_cuda(const void* args, void* const* p, const CudaCall& call)                       \
    {                                                                                              \
        study_launch<name##_slots>(name##_kernel, study_vector_groups<name##_args>(0, args),       \
                                   *static_cast<const name##_args*>(args), p, call);               \
    }                                                                                              \
    QCD_END

#define QCD_STUDY_SUM_KERNELS(name)                                                                \
    QCD_BEGIN                                                                                      \
    static __global__ void name##_kernel(name##_args a, KernelBuffers p)                           \
    {                                                                                              \
        extern __shared__ double2 study_memory[];                                                  \
        const int item = QCD_GROUP_ID() * QCD_STUDY_GROUP + QCD_THREAD_ID();                       \
        study_sum own = study_no_sum();                                                            \
        if (item < study_items(a.vector))                                                          \
            own = name##_item(a, buffers_of<name##_buffers>(p), item);                             \
        study_reduce_group(own, reinterpret_cast<study_sum*>(study_memory),                        \
                           buffer<study_sum>(p, name##_sums));                                     \
    }                                                                                              \
    void name##_cuda(const void* args, void* const* p, const CudaCall& call)                       \
    {                                                                                              \
        study_launch<name##_slots>(name##_kernel, study_sum_groups<name##_args>(0, args),          \
                                   *static_cast<const name##_args*>(args), p, call);               \
    }                                                                                              \
    QCD_END

#define QCD_STUDY_SINGLE_KERNELS(name)                                                             \
    QCD_BEGIN                                                                                      \
    static __global__ void name##_kernel(name##_args a, KernelBuffers p)                           \
    {                                                                                              \
        if (QCD_THREAD_ID() == 0) name##_item(a, buffers_of<name##_buffers>(p));                   \
    }                                                                                              \
    void name##_cuda(const void* args, void* const* p, const CudaCall& call)                       \
    {                                                                                              \
        study_launch<name##_slots>(name##_kernel, study_one_group(0, args),                        \
                                   *static_cast<const name##_args*>(args), p, call);               \
    }                                                                                              \
    QCD_END

#else

#include "codelets/launch/cpu_launch.hpp"
#include "codelets/study/elements.h"

QCD_BEGIN

/// Sums of the share's groups of items, each in the order of its items.
template <class Args, class Item>
static inline __attribute__((always_inline)) void sum_groups(const Args& a, CpuShare share,
                                                             study_sum* sums, const Item& item_of)
{
    const int items = study_items(a.vector),
              groups = (items + QCD_STUDY_GROUP - 1) / QCD_STUDY_GROUP;
    for (int g = share.first(groups); g < share.end(groups); ++g) {
        study_sum sum = study_no_sum();
        for (int i = g * QCD_STUDY_GROUP; i < items && i < (g + 1) * QCD_STUDY_GROUP; ++i)
            sum = study_add_sums(sum, item_of(a, i));
        sums[g] = sum;
    }
}

QCD_END

// A core's item is a spinor in either form: only sums can tell.
#define QCD_STUDY_KERNELS(name)                                                                    \
    QCD_BEGIN                                                                                      \
    void name##_cpu(const void* args, void* const* p, CpuShare share)                              \
    {                                                                                              \
        auto a = *static_cast<const name##_args*>(args);                                           \
        a.vector.a_spinor = 1;                                                                     \
        const auto f = buffers_of<name##_buffers>(p);                                              \
        const int items = study_items(a.vector);                                                   \
        for (int i = share.first(items); i < share.end(items); ++i) name##_item(a, f, i);          \
    }                                                                                              \
    QCD_END

// The form is known to the loop when it is compiled.
#define QCD_STUDY_SUM_KERNELS(name)                                                                \
    QCD_BEGIN                                                                                      \
    void name##_cpu(const void* args, void* const* p, CpuShare share)                              \
    {                                                                                              \
        auto a = *static_cast<const name##_args*>(args);                                           \
        const auto f = buffers_of<name##_buffers>(p);                                              \
        study_sum* sums = buffer<study_sum>(p, name##_sums);                                       \
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

#define QCD_STUDY_SINGLE_KERNELS(name)                                                             \
    QCD_BEGIN                                                                                      \
    void name##_cpu(const void* args, void* const* p, CpuShare share)                              \
    {                                                                                              \
        if (share.index == 0)                                                                      \
            name##_item(*static_cast<const name##_args*>(args), buffers_of<name##_buffers>(p));    \
    }                                                                                              \
    QCD_END

#endif
