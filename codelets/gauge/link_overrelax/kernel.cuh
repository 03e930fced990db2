#include "codelets/gauge/link_kernels.hpp"

QCD_BEGIN

__global__ void __launch_bounds__(threads_per_block)
    link_overrelax_kernel(link_update_args a, link_update_buffers f)
{
    start_kernel();
    const LanePosition at = lane_position();
    if (at.block < a.blocks && lanes_with_sites(a.shape, at.w))
        link_overrelax_site(a, f, at.block, place_of_block(a.shape, at.block), at.w);
}

void link_overrelax_cuda(const void* args, void* const* p, const CudaCall& call)
{
    launch_on_links(link_overrelax_kernel, args, p, call);
}

QCD_END
