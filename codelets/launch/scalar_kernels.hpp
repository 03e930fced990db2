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

#define QCD_SCALAR_KERNEL(name, use, scalars)                                                     \
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

template <class Scalars, auto site>
static inline void scalar_step_alone(const scalar_step_args& a, void* const* p)
{
    auto* c = buffer<Scalars>(p, scalar_step_scalars);
    const i64* b = buffer<const i64>(p, scalar_step_sums_b);
    const step_sums sums = {rounded_sums(buffer<const i64>(p, scalar_step_sums_a)), rounded_sums(b),
                            b != nullptr};
    const int known = site(a, c, sums);
    note_in_history(buffer<solve_history>(p, scalar_step_history),
                    reinterpret_cast<const solve_scalars*>(c), a.place, known);
}

/// Of each right-hand side.
template <class Scalars, auto site>
static inline void scalar_steps_alone(const scalar_step_args& a, void* const* p, int rhs)
{
    constexpr int bytes[scalar_step_slots] = {
        QCD_SCALARS_STRIDE * sizeof(double), sizeof(solve_history),
        QCD_TASK_SUM_WORDS * sizeof(i64), QCD_TASK_SUM_WORDS * sizeof(i64)};
    for (int i = 0; i < rhs; ++i) {
        void* own[scalar_step_slots];
        for (int s = 0; s < scalar_step_slots; ++s)
            own[s] = p[s] ? static_cast<char*>(p[s]) + i * bytes[s] : nullptr;
        scalar_step_alone<Scalars, site>(a, own);
    }
}

/// Of all workers, from those of this one.
static inline void exchange_sums(const linked_step_args& a, void* const* p,
                                 i64 (&sums)[2][QCD_TASK_SUM_WORDS])
{
    for (int set = 0; set < 2; ++set)
        for (const int slot : {scalar_step_sums_a + set, linked_step_more_a + set})
            for (int w = 0; p[slot] && w < QCD_TASK_SUM_WORDS; ++w)
                sums[set][w] += buffer<const i64>(p, slot)[w];
    for (int peer = 0; peer < a.peers; ++peer)
        for (int w = 0; w < QCD_SENT_SUMS; ++w)
            send_word(buffer<sent_word>(p, linked_step_outbox + peer) + w,
                      sums[w / QCD_TASK_SUM_WORDS][w % QCD_TASK_SUM_WORDS], a.number);
    for (int peer = 0; peer < a.peers; ++peer)
        for (int w = 0; w < QCD_SENT_SUMS; ++w)
            sums[w / QCD_TASK_SUM_WORDS][w % QCD_TASK_SUM_WORDS] += await_word(
                buffer<sent_word>(p, linked_step_inbox) + peer * QCD_SENT_SUMS + w, a.number);
}

template <class Scalars, auto site>
static inline void scalar_step_linked(const linked_step_args& a, void* const* p)
{
    i64 sums[2][QCD_TASK_SUM_WORDS] = {};
    exchange_sums(a, p, sums);
    void* slots[scalar_step_slots] = {p[scalar_step_scalars], p[scalar_step_history]};
    for (int set = 0; set < 2; ++set)
        if (p[scalar_step_sums_a + set]) slots[scalar_step_sums_a + set] = sums[set];
    scalar_step_alone<Scalars, site>(a.step, slots);
}

QCD_END

#define QCD_SCALAR_KERNEL(name, use, scalars)                                                     \
    QCD_BEGIN                                                                                      \
    void name##_cpu(const void* args, void* const* p, CpuShare share)                              \
    {                                                                                              \
        if (share.index > 0) return;                                                               \
        scalar_steps_alone<scalars, name##_site>(*static_cast<const scalar_step_args*>(args), p,   \
                                                 share.layers);                                    \
    }                                                                                              \
    void linked_##name##_cpu(const void* args, void* const* p, CpuShare share)                     \
    {                                                                                              \
        if (share.index > 0) return;                                                               \
        scalar_step_linked<scalars, name##_site>(*static_cast<const linked_step_args*>(args), p);  \
    }                                                                                              \
    QCD_END

#endif

#define QCD_SCALAR_KERNELS(method) QCD_STEPS_##method(QCD_SCALAR_KERNEL)
