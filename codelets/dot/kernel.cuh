#include "codelets/dot/site.h"
#include "codelets/runtime/cuda_launch.cuh"

QCD_BEGIN

__global__ void __launch_bounds__(threads_per_block) dot_kernel(dot_args a, KernelBuffers p)
{
    const dot_buffers f = {buffer<const real>(p, dot_x), buffer<const real>(p, dot_y)};
    __shared__ SharedSums words;
    start_sums(words);
    const LanePosition at = lane_position();
    site_sums s = no_sums();
    if (at.block < a.blocks) s = dot_site(a, f, at.block, at.w);
    add_site_sums(words, buffer<i64>(p, dot_sums), s, dot_which);
}

void dot_cuda(const void* args, void* const* p, cudaStream_t stream)
{
    const auto& a = *static_cast<const dot_args*>(args);
    clear_sums(p[dot_sums], stream);
    launch(dot_kernel, a.blocks, a, p, dot_slots, stream);
}

QCD_END
