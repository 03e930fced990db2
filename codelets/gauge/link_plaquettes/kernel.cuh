#include "codelets/gauge/link_kernels.hpp"
#include "codelets/gauge/link_plaquettes/site.h"
#include "codelets/launch/cuda_sums.cuh"

QCD_BEGIN

__global__ void __launch_bounds__(threads_per_block)
    link_plaquettes_kernel(link_plaquettes_args a, link_plaquettes_buffers f)
{
    start_kernel();
    __shared__ warp_sums shared;
    const LanePosition at = lane_position();
    site_sums s = no_sums();
    if (at.block < a.blocks && lanes_with_sites(a.shape, at.w))
        s = link_plaquettes_site(a, f, at.block, place_of_block(a.shape, at.block), at.w);
    add_site_sums(shared, f.sums, s, link_plaquettes_which);
}

void link_plaquettes_cuda(const void* args, void* const* p, const CudaCall& call)
{
    clear_sums(p[link_plaquettes_sums], call);
    launch_on_links(link_plaquettes_kernel, args, p, call);
}

QCD_END
