#include "codelets/dot/site.h"
#include "codelets/runtime/cuda_sums.cuh"

QCD_BEGIN

/// Blocks of a warp: adding up is as long as loading, and costs little more for two.
enum { dot_blocks_a_warp = 2 };

__global__ void __launch_bounds__(threads_per_block) dot_kernel(dot_args a, KernelBuffers p)
{
    start_kernel();
    const dot_buffers f = {buffer<const real>(p, dot_x), buffer<const real>(p, dot_y)};
    __shared__ warp_sums shared;
    const LanePosition at = lane_position();
    site_sums s[dot_blocks_a_warp];
#pragma unroll
    for (int i = 0; i < dot_blocks_a_warp; ++i) {
        const int block = at.block * dot_blocks_a_warp + i;
        s[i] = block < a.blocks ? dot_site(a, f, block, at.w) : no_sums();
    }
    add_site_sums(shared, buffer<i64>(p, dot_sums), s, dot_which);
}

void dot_cuda(const void* args, void* const* p, cudaStream_t stream)
{
    const auto& a = *static_cast<const dot_args*>(args);
    clear_sums(p[dot_sums], stream);
    launch(dot_kernel, a.blocks, a, p, dot_slots, stream, dot_blocks_a_warp);
}

QCD_END
