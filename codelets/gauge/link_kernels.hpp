#pragma once
// Loops for cores, and launches of CUDA, of operations on links and their neighbours.

#include "codelets/gauge/update.h"

#ifdef __CUDACC__

#include "codelets/launch/cuda_launch.cuh"

QCD_BEGIN

/// A kernel with a thread for each lane of Args::blocks blocks, which gets all of its buffers by
/// value: they can be more than KernelBuffers has.
template <class Args, class Buffers>
void launch_on_links(void (*kernel)(Args, Buffers), const void* args, void* const* p,
                     const CudaCall& call)
{
    const auto& a = *static_cast<const Args*>(args);
    Buffers f;
    memcpy(&f, p, sizeof f);
    const int grid = (a.blocks * QCD_LANES + threads_per_block - 1) / threads_per_block;
    enqueue(kernel, dim3(grid), threads_per_block, call.stream, a, f);
}

QCD_END

#else

#include "codelets/launch/cpu_launch.hpp"

QCD_BEGIN

/// Calls body(block, place, lanes) for each register of lanes with sites in the share's blocks.
template <class Body>
static inline __attribute__((always_inline)) void for_each_link_register(const tile_shape& g,
                                                                         CpuShare share, Body body)
{
    const CrossingLanes& crossing = CrossingLanes::of(g);
    const int in_use = lanes_in_use(g);
    for_each_place(
        g, share, [&](int block, block_place place) __attribute__((always_inline)) {
            for_each_first_lane([&](int first) __attribute__((always_inline)) {
                if (first < in_use) body(block, place, crossing.group(first));
            });
        });
}

QCD_END

#endif
