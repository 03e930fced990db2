#pragma once
// Kernels, for cores and for CUDA, of operations on scalars (device/scalar_step.h), and of those of
// linked workers (device/linked_step.h), which exchange their sums before: one function serves
// both. At the end of the folder's site.h stands one line, which defines NAME_cpu and
// linked_NAME_cpu, or the same for CUDA, or OpenCL's kernel (opencl_scalars.h), of all in its list:
//   QCD_SCALAR_KERNELS(METHOD)

#ifdef __CUDACC__
#include "codelets/launch/cuda_scalars.cuh"
#else
#include "codelets/device/linked_step.h"
#include "codelets/launch/cpu_flags.hpp"
#include "codelets/launch/cpu_launch.hpp"
#endif

#ifdef __CUDACC__

#define QCD_SCALAR_KERNEL(name, use, scalars)                                                      \
    QCD_BEGIN                                                                                      \
    __global__ void __launch_bounds__(scalar_step_warps* QCD_LANES)                                \
        name##_kernel(scalar_step_args a, KernelBuffers p, unsigned clear)                         \
    {                                                                                              \
        scalar_step_alone<scalars, name##_site>(a, p, clear);                                      \
    }                                                                                              \
    void name##_cuda(const void* args, void* const* p, const CudaCall& call)                       \
    {                                                                                              \
        enqueue_step<scalar_step_slots, scalar_step_args>(name##_kernel, args, p, call);           \
    }                                                                                              \
    __global__ void __launch_bounds__(scalar_step_warps* QCD_LANES)                                \
        linked_##name##_kernel(linked_step_args a, KernelBuffers p, unsigned clear)                \
    {                                                                                              \
        scalar_step_linked<scalars, name##_site>(a, p, clear);                                     \
    }                                                                                              \
    void linked_##name##_cuda(const void* args, void* const* p, const CudaCall& call)              \
    {                                                                                              \
        enqueue_step<linked_step_slots, linked_step_args>(linked_##name##_kernel, args, p, call);  \
    }                                                                                              \
    QCD_END

#else

QCD_BEGIN

static inline lattice_sums rounded_sums(const i64* words)
{
    double value[QCD_MAX_SUMS] = {};
    for (int i = 0; words && i < QCD_MAX_SUMS; ++i)
        value[i] = round_exact_sum(words + i * QCD_SUM_WORDS);
    lattice_sums s;
    static_assert(sizeof s == sizeof value);
    __builtin_memcpy(&s, value, sizeof s);
    return s;
}

/// Makes the step of one right-hand side, whose sums these are.
template <class Scalars, auto site>
static inline void scalar_step(const scalar_step_args& a, void* const* p, int rhs,
                               const i64* sums_a, const i64* sums_b)
{
    auto* c = reinterpret_cast<Scalars*>(buffer<double>(p, scalar_step_scalars) +
                                         rhs * QCD_SCALARS_STRIDE);
    auto* history = buffer<solve_history>(p, scalar_step_history);
    const int known =
        site(a, c, step_sums{rounded_sums(sums_a), rounded_sums(sums_b), sums_b != nullptr});
    note_in_history(history ? history + rhs : nullptr, reinterpret_cast<const solve_scalars*>(c),
                    a.place, known);
}

template <class Scalars, auto site>
static inline void scalar_step_alone(const scalar_step_args& a, void* const* p, int rhs)
{
    scalar_step<Scalars, site>(a, p, rhs, sums_of(buffer<i64>(p, scalar_step_sums_a), rhs),
                               sums_of(buffer<i64>(p, scalar_step_sums_b), rhs));
}

/// Makes the sums of all workers from those of this one.
static inline void exchange_sums(const linked_step_args& a, void* const* p, int rhs,
                                 i64 (&sums)[2][QCD_TASK_SUM_WORDS])
{
    for (int set = 0; set < 2; ++set)
        for (const int slot : {scalar_step_sums_a + set, linked_step_more_a + set})
            for (int w = 0; p[slot] && w < QCD_TASK_SUM_WORDS; ++w)
                sums[set][w] += sums_of(buffer<i64>(p, slot), rhs)[w];
    for (int peer = 0; peer < a.peers; ++peer)
        for (int w = 0; w < QCD_SENT_SUMS; ++w)
            send_word(buffer<sent_word>(p, linked_step_outbox + peer) +
                          sent_sums_place(a.peers, rhs, 0) + w,
                      sums[w / QCD_TASK_SUM_WORDS][w % QCD_TASK_SUM_WORDS], a.number);
    for (int peer = 0; peer < a.peers; ++peer)
        for (int w = 0; w < QCD_SENT_SUMS; ++w)
            sums[w / QCD_TASK_SUM_WORDS][w % QCD_TASK_SUM_WORDS] += await_word(
                buffer<sent_word>(p, linked_step_inbox) + sent_sums_place(a.peers, rhs, peer) + w,
                a.number);
}

template <class Scalars, auto site>
static inline void scalar_step_linked(const linked_step_args& a, void* const* p, int rhs)
{
    i64 sums[2][QCD_TASK_SUM_WORDS] = {};
    exchange_sums(a, p, rhs, sums);
    scalar_step<Scalars, site>(a.step, p, rhs, p[scalar_step_sums_a] ? sums[0] : nullptr,
                               p[scalar_step_sums_b] ? sums[1] : nullptr);
}

QCD_END

#define QCD_SCALAR_KERNEL(name, use, scalars)                                                      \
    QCD_BEGIN                                                                                      \
    void name##_cpu(const void* args, void* const* p, CpuShare share)                              \
    {                                                                                              \
        if (share.index > 0) return;                                                               \
        for (int rhs = 0; rhs < share.layers; ++rhs)                                               \
            scalar_step_alone<scalars, name##_site>(*static_cast<const scalar_step_args*>(args),   \
                                                    p, rhs);                                       \
    }                                                                                              \
    void linked_##name##_cpu(const void* args, void* const* p, CpuShare share)                     \
    {                                                                                              \
        if (share.index > 0) return;                                                               \
        for (int rhs = 0; rhs < share.layers; ++rhs)                                               \
            scalar_step_linked<scalars, name##_site>(*static_cast<const linked_step_args*>(args),  \
                                                     p, rhs);                                      \
    }                                                                                              \
    QCD_END

#endif

#define QCD_SCALAR_KERNELS(method) QCD_STEPS_##method(QCD_SCALAR_KERNEL)
