#pragma once
// What the kernels of multigrid share, on cores and in CUDA.

#include "codelets/multigrid/level.h"

#ifdef __CUDACC__

#include "codelets/launch/cuda_launch.cuh"

QCD_BEGIN

enum { warps_per_block = threads_per_block / QCD_LANES };

/// The sum over the lanes of a warp by halves, in all of them.
__device__ inline math sum_by_halves(math x)
{
    for (int step = QCD_LANES / 2; step > 0; step /= 2) x += __shfl_down_sync(0xffffffff, x, step);
    return __shfl_sync(0xffffffff, x, 0);
}

/// A kernel of which thread blocks of all right-hand sides follow each other that read the same.
struct CloseBuffers : KernelBuffers {
    int layers = 1;
};

/// Launches a warp for each of `blocks` blocks of each right-hand side.
template <int slots, class Args>
void launch_close_layers(void (*kernel)(Args, CloseBuffers), int blocks, const Args& args,
                         void* const* p, const CudaCall& call)
{
    const CloseBuffers buffers{kernel_buffers<slots>(p), call.layers};
    const int grid = (blocks + warps_per_block - 1) / warps_per_block * call.layers;
    enqueue(kernel, dim3(grid), threads_per_block, call.stream, args, buffers);
}

QCD_END

#else

#include "codelets/launch/cpu_launch.hpp"

QCD_BEGIN

/// One number of each of a block's lanes.
class LaneTree
{
public:
    void set(lanes w, vreal x)
    {
        for (int j = 0; j < vector_width; ++j) lane_[w.first + j] = x[j];
    }
    /// The sum of all by halves: lane l and l + 16, then l + 8, 4, 2, 1.
    math sum()
    {
        for (int step = QCD_LANES / 2; step > 0; step /= 2)
            for (int lane = 0; lane < step; ++lane) lane_[lane] += lane_[lane + step];
        return lane_[0];
    }

private:
    alignas(64) math lane_[QCD_LANES];
};

QCD_END

#endif
