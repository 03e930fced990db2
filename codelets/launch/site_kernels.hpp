#pragma once
// Loops and launches, for cores and for CUDA, of operations that go site by site. Such an operation
// has in slots.h and site.h
//   NAME_args     with `blocks` as its first member
//   NAME_buffers  of its slots (device/slots.h): nothing is done behind the closed gate in a slot
//   NAME_site     (NAME_args, NAME_buffers, int block, lanes) -> void, or the sums of these sites
// and one line at the end of site.h, which makes NAME_cpu or NAME_cuda, or NAME_kernel of OpenCL
// (opencl_sites.h):
//   QCD_SITE_KERNELS(NAME)
//   QCD_UPDATE_KERNELS(NAME)                   of vectors: a thread has registers for all it loads
//   QCD_UPDATE_KERNELS_WITH_SUMS(NAME, which)  sums QCD_SUM_*, into the slot NAME_sums

#include "codelets/launch/site_buffers.h"

#ifdef __CUDACC__
#include "codelets/launch/cuda_sums.cuh"
#else
#include "codelets/launch/cpu_launch.hpp"
#endif

#ifdef __CUDACC__

// The kernel of a thread's site; after the name what __launch_bounds__ is told.
#define QCD_BOUNDED_SITE_KERNELS(name, ...)                                                        \
    QCD_BEGIN                                                                                      \
    QCD_SITE_BUFFERS(name)                                                                         \
    __global__ void __launch_bounds__(__VA_ARGS__) name##_kernel(name##_args a, KernelBuffers p)   \
    {                                                                                              \
        start_kernel();                                                                            \
        const auto f = name##_of_rhs(buffers_of<name##_buffers>(p), own_rhs());                    \
        if (name##_closed(f)) return;                                                              \
        const LanePosition at = lane_position(p, a.blocks);                                        \
        if (at.block < a.blocks) name##_site(a, f, own_rhs() * a.blocks + at.block, at.w);         \
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
    QCD_SITE_BUFFERS(name)                                                                         \
    __global__ void __launch_bounds__(threads_per_block, QCD_UPDATE_GROUPS)                        \
        name##_kernel(name##_args a, KernelBuffers p)                                              \
    {                                                                                              \
        start_kernel();                                                                            \
        const auto f = name##_of_rhs(buffers_of<name##_buffers>(p), own_rhs());                    \
        if (name##_closed(f)) return;                                                              \
        __shared__ warp_sums shared;                                                               \
        const LanePosition at = lane_position(p, a.blocks);                                        \
        site_sums s = no_sums();                                                                   \
        if (at.block < a.blocks) s = name##_site(a, f, own_rhs() * a.blocks + at.block, at.w);     \
        add_site_sums(shared, sums_of(f.sums, own_rhs()), s, which);                               \
    }                                                                                              \
    void name##_cuda(const void* args, void* const* p, const CudaCall& call)                       \
    {                                                                                              \
        const auto& a = *static_cast<const name##_args*>(args);                                    \
        clear_sums(p[name##_sums], call);                                                          \
        launch<name##_slots>(name##_kernel, a.blocks, a, p, call);                                 \
    }                                                                                              \
    QCD_END

#else

// What a core does for its share of the blocks of each right-hand side whose gate is open: `before`
// it goes through them, and at each register of lanes.
#define QCD_SHARED_SITE_KERNELS(name, before, at_lanes)                                            \
    QCD_BEGIN                                                                                      \
    QCD_SITE_BUFFERS(name)                                                                         \
    void name##_cpu(const void* args, void* const* p, CpuShare share)                              \
    {                                                                                              \
        const auto& a = *static_cast<const name##_args*>(args);                                    \
        for (int rhs = 0; rhs < share.layers; ++rhs) {                                             \
            const auto f = name##_of_rhs(buffers_of<name##_buffers>(p), rhs);                      \
            if (name##_closed(f)) continue;                                                        \
            const int first = rhs * a.blocks;                                                      \
            before;                                                                                \
            for_each_block(a.blocks, share, [&](int block, lanes w) { at_lanes; });                \
        }                                                                                          \
    }                                                                                              \
    QCD_END
#define QCD_SITE_KERNELS(name) QCD_SHARED_SITE_KERNELS(name, , name##_site(a, f, first + block, w))
#define QCD_UPDATE_KERNELS QCD_SITE_KERNELS
#define QCD_UPDATE_KERNELS_WITH_SUMS(name, which)                                                  \
    QCD_SHARED_SITE_KERNELS(name, TileSums sums(sums_of(f.sums, rhs), share),                      \
                            sums.add(name##_site(a, f, first + block, w), which))

#endif
