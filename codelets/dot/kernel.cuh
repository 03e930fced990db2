#include "codelets/dot/site.h"
#include "codelets/runtime/cuda_lane_sums.cuh"

QCD_BEGIN

/// Thread blocks of a multiprocessor: as many as have registers for the next block's loads.
enum { dot_thread_blocks = sizeof(real) == 4 ? 3 : 2 };

/// Each warp goes from block to block of the lattice; it asks for the next before it adds up.
__global__ void __launch_bounds__(threads_per_block, dot_thread_blocks)
    dot_kernel(dot_args a, KernelBuffers p)
{
    start_kernel();
    const dot_buffers f = {buffer<const real>(p, dot_x), buffer<const real>(p, dot_y)};
    __shared__ lane_sums_shared shared;
    const LanePosition at = lane_position();
    const int step = gridDim.x * (threads_per_block / QCD_LANES);
    int next = at.block;
    dot_operands operands = {};
    const auto load_next = [&] {
        if (next < a.blocks) operands = load_dot(f, next, at.w);
        next += step;
    };
    load_next();
    const dot_operands first = operands;
    load_next();
    site_sums s = dot_terms(f, first); // zero, where there is no block
    LaneSums<dot_which> sums(shared, s);
    for (;;) {
        sums.add(s);
        if (next - step >= a.blocks) break;
        const dot_operands now = operands;
        load_next();
        s = dot_terms(f, now);
    }
    sums.finish(buffer<i64>(p, dot_sums));
}

/// Blocks of a warp, alike for all.
inline int dot_blocks_a_warp(int blocks)
{
    static const int warps = [] {
        int device = 0, multiprocessors = 0;
        cudaGetDevice(&device);
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
        return multiprocessors * dot_thread_blocks * threads_per_block / QCD_LANES;
    }();
    return std::min((blocks + warps - 1) / warps, QCD_BIN_TERMS);
}

void dot_cuda(const void* args, void* const* p, const CudaCall& call)
{
    const auto& a = *static_cast<const dot_args*>(args);
    clear_sums(p[dot_sums], call);
    launch(dot_kernel, a.blocks, a, p, dot_slots, call.stream, dot_blocks_a_warp(a.blocks));
}

QCD_END
