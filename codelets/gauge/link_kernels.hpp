#pragma once
// Loops for cores, and launches of CUDA, of updates of links.

#include "codelets/gauge/update.h"

#ifdef __CUDACC__

#include "codelets/launch/cuda_launch.cuh"

QCD_BEGIN

/// All slots of an update: more than KernelBuffers has.
inline link_update_buffers link_buffers_of(void* const* p)
{
    link_update_buffers f;
    static_assert(sizeof f == link_update_slots * sizeof(void*));
    memcpy(&f, p, sizeof f);
    return f;
}

template <class Kernel>
void launch_link_update(Kernel* kernel, const void* args, void* const* p, const CudaCall& call)
{
    const auto& a = *static_cast<const link_update_args*>(args);
    const int grid = (a.blocks * QCD_LANES + threads_per_block - 1) / threads_per_block;
    enqueue(kernel, dim3(grid), threads_per_block, call.stream, a, link_buffers_of(p));
}

QCD_END

#else

#include "codelets/launch/cpu_launch.hpp"

QCD_BEGIN

/// For each register of lanes that has sites, of each block of the share: body(block, place, lanes).
template <class Body>
static inline __attribute__((always_inline)) void for_each_link_register(const link_update_args& a,
                                                                         CpuShare share, Body body)
{
    const CrossingLanes& crossing = CrossingLanes::of(a.shape);
    const int in_use = lanes_in_use(a.shape);
    for_each_place(
        a.shape, share, [&](int block, block_place place) __attribute__((always_inline)) {
            for_each_first_lane([&](int first) __attribute__((always_inline)) {
                if (first < in_use) body(block, place, crossing.group(first));
            });
        });
}

QCD_END

#endif
