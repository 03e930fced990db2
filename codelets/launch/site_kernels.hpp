#pragma once
// Loops and launches, for cores and for CUDA, of operations that go site by site. Such an operation
// has in args.h and site.h
//   NAME_args     with `blocks`
//   NAME_buffers  pointers in the order of the slots, of which it has the first; where one is named
//                 `scalars`, a method's, or `gate`, which may be null, nothing is done behind
//                 their closed gate
//   NAME_site     (NAME_args, NAME_buffers, int block, lanes) -> void, or the sums of these sites
// and in kernel.cpp, after its site.h, one line, which defines NAME_cpu or NAME_cuda:
//   QCD_SITE_KERNELS(NAME)
//   QCD_UPDATE_KERNELS(NAME)                   of vectors: a thread has registers for all it loads
//   QCD_UPDATE_KERNELS_WITH_SUMS(NAME, which)  sums QCD_SUM_*, into the slot NAME_sums

#ifdef __CUDACC__
#include "codelets/launch/cuda_sums.cuh"
#else
#include "codelets/launch/cpu_launch.hpp"
#endif

QCD_BEGIN

template <class Scalars>
QCD_FN void go_to_scalars_of(int rhs, const Scalars*& scalars)
{
    scalars = (const Scalars*)gate_of((const solve_scalars*)scalars, rhs);
}

/// Its scalars, if any, to be those of a right-hand side. Of fields it has all, of each a.blocks
/// blocks.
template <class Buffers>
QCD_FN void go_to_scalars(Buffers& f, int rhs)
{
    if constexpr (requires { f.scalars; }) go_to_scalars_of(rhs, f.scalars);
    if constexpr (requires { f.steps; }) go_to_scalars_of(rhs, f.steps);
    if constexpr (requires { f.gate; }) go_to_scalars_of(rhs, f.gate);
}

template <class Buffers>
QCD_FN bool behind_closed_gate(const Buffers& f)
{
    if constexpr (requires { f.scalars; })
        return gate_closed(&f.scalars->solve);
    else if constexpr (requires { f.gate; })
        return gate_closed(f.gate);
    else
        return false;
}

QCD_END

#ifdef __CUDACC__

QCD_BEGIN

/// Of a thread: its site.
template <auto site, class Args, class Buffers>
__device__ __forceinline__ void at_own_site(Args a, const KernelBuffers& p)
{
    start_kernel();
    auto f = buffers_of<Buffers>(p);
    go_to_scalars(f, own_rhs());
    if (behind_closed_gate(f)) return;
    const LanePosition at = lane_position(p, a.blocks);
    if (at.block < a.blocks) site(a, f, own_rhs() * a.blocks + at.block, at.w);
}

template <auto site, class Args, class Buffers>
__device__ __forceinline__ void sum_own_sites(Args a, const KernelBuffers& p, int sums_slot,
                                              int which)
{
    start_kernel();
    auto f = buffers_of<Buffers>(p);
    go_to_scalars(f, own_rhs());
    if (behind_closed_gate(f)) return;
    __shared__ warp_sums shared;
    const LanePosition at = lane_position(p, a.blocks);
    site_sums s = no_sums();
    if (at.block < a.blocks) s = site(a, f, own_rhs() * a.blocks + at.block, at.w);
    add_site_sums(shared, sums_of(buffer<i64>(p, sums_slot), own_rhs()), s, which);
}

QCD_END

// After the name: what __launch_bounds__ is told.
#define QCD_BOUNDED_SITE_KERNELS(name, ...)                                                        \
    QCD_BEGIN                                                                                      \
    __global__ void __launch_bounds__(__VA_ARGS__) name##_kernel(name##_args a, KernelBuffers p)   \
    {                                                                                              \
        at_own_site<name##_site, name##_args, name##_buffers>(a, p);                               \
    }                                                                                              \
    void name##_cuda(const void* args, void* const* p, const CudaCall& call)                       \
    {                                                                                              \
        const auto& a = *static_cast<const name##_args*>(args);                                    \
        launch<name##_slots>(name##_kernel, a.blocks, a, p, call);                                 \
    }                                                                                              \
    QCD_END
#define QCD_SITE_KERNELS(name) QCD_BOUNDED_SITE_KERNELS(name, threads_per_block)
#define QCD_UPDATE_KERNELS(name)                                                                   \
    QCD_BOUNDED_SITE_KERNELS(name, threads_per_block, QCD_UPDATE_GROUPS)

#define QCD_UPDATE_KERNELS_WITH_SUMS(name, which)                                                  \
    QCD_BEGIN                                                                                      \
    __global__ void __launch_bounds__(threads_per_block, QCD_UPDATE_GROUPS)                        \
        name##_kernel(name##_args a, KernelBuffers p)                                              \
    {                                                                                              \
        sum_own_sites<name##_site, name##_args, name##_buffers>(a, p, name##_sums, which);         \
    }                                                                                              \
    void name##_cuda(const void* args, void* const* p, const CudaCall& call)                       \
    {                                                                                              \
        const auto& a = *static_cast<const name##_args*>(args);                                    \
        clear_sums(p[name##_sums], call);                                                          \
        launch<name##_slots>(name##_kernel, a.blocks, a, p, call);                                 \
    }                                                                                              \
    QCD_END

#else

QCD_BEGIN

/// Of a core: its share.
template <auto site, class Args, class Buffers>
QCD_FN void at_sites(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const Args*>(args);
    for (int rhs = 0; rhs < share.layers; ++rhs) {
        auto f = buffers_of<Buffers>(p);
        go_to_scalars(f, rhs);
        if (behind_closed_gate(f)) continue;
        const int first = rhs * a.blocks;
        for_each_block(a.blocks, share, [&](int block, lanes w) { site(a, f, first + block, w); });
    }
}

template <auto site, class Args, class Buffers>
QCD_FN void sum_over_sites(const void* args, void* const* p, CpuShare share, int sums_slot,
                           int which)
{
    const auto& a = *static_cast<const Args*>(args);
    for (int rhs = 0; rhs < share.layers; ++rhs) {
        auto f = buffers_of<Buffers>(p);
        go_to_scalars(f, rhs);
        if (behind_closed_gate(f)) continue;
        const int first = rhs * a.blocks;
        TileSums sums(sums_of(buffer<i64>(p, sums_slot), rhs), share);
        for_each_block(a.blocks, share,
                       [&](int block, lanes w) { sums.add(site(a, f, first + block, w), which); });
    }
}

QCD_END

#define QCD_SITE_KERNELS(name)                                                                     \
    QCD_BEGIN                                                                                      \
    void name##_cpu(const void* args, void* const* p, CpuShare share)                              \
    {                                                                                              \
        at_sites<name##_site, name##_args, name##_buffers>(args, p, share);                        \
    }                                                                                              \
    QCD_END
#define QCD_UPDATE_KERNELS(name) QCD_SITE_KERNELS(name)

#define QCD_UPDATE_KERNELS_WITH_SUMS(name, which)                                                  \
    QCD_BEGIN                                                                                      \
    void name##_cpu(const void* args, void* const* p, CpuShare share)                              \
    {                                                                                              \
        sum_over_sites<name##_site, name##_args, name##_buffers>(args, p, share, name##_sums,      \
                                                                 which);                           \
    }                                                                                              \
    QCD_END

#endif
