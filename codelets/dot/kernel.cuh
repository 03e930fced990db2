#include "codelets/launch/cuda_sums.cuh"

#include "codelets/dot/warp.h"

QCD_BEGIN

__global__ void __launch_bounds__(threads_per_block, QCD_DOT_GROUPS)
    dot_kernel(dot_args a, KernelBuffers p)
{
    static_assert(threads_per_block == QCD_LANE_SUM_WARPS * QCD_LANES);
    start_kernel();
    const dot_buffers f = dot_buffers_from(buffers_of<dot_buffers>(p), own_rhs() * a.blocks);
    __shared__ shared_lane_sums shared;
    dot_of_warp(a, f, lane_position().block, gridDim.x * QCD_LANE_SUM_WARPS, threadIdx.x, &shared,
                sums_of(f.sums, own_rhs()));
}

/// Blocks of a warp, alike for all.
inline int dot_blocks_a_warp(int blocks)
{
    static const int warps = [] {
        int device = 0, multiprocessors = 0;
        cudaGetDevice(&device);
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
        return multiprocessors * QCD_DOT_GROUPS * QCD_LANE_SUM_WARPS;
    }();
    return std::min((blocks + warps - 1) / warps, QCD_BIN_TERMS);
}

void dot_cuda(const void* args, void* const* p, const CudaCall& call)
{
    const auto& a = *static_cast<const dot_args*>(args);
    clear_sums(p[dot_sums], call);
    launch<dot_slots>(dot_kernel, a.blocks, a, p, call, dot_blocks_a_warp(a.blocks));
}

QCD_END
