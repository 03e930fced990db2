#include "codelets/gauge/link_kernels.hpp"

QCD_BEGIN

/// A warp adds up what its lanes count, and makes one atomic addition of it.
__device__ inline void add_count(u64* to, unsigned n)
{
    const unsigned sum = __reduce_add_sync(0xffffffff, n);
    if (threadIdx.x % QCD_LANES == 0 && sum > 0) atomicAdd(to, u64(sum));
}

__global__ void __launch_bounds__(threads_per_block)
    link_heatbath_kernel(link_update_args a, link_update_buffers f)
{
    start_kernel();
    const LanePosition at = lane_position();
    site_counts c = {};
    if (at.block < a.blocks && lanes_with_sites(a.shape, at.w))
        c = link_heatbath_site(a, f, at.block, place_of_block(a.shape, at.block), at.w);
    if (!f.counts) return;
    add_count(&f.counts->drawn, c.drawn);
    add_count(&f.counts->trials, c.trials);
    add_count(&f.counts->exhausted, c.exhausted);
}

void link_heatbath_cuda(const void* args, void* const* p, const CudaCall& call)
{
    launch_on_links(link_heatbath_kernel, args, p, call);
}

QCD_END
