#include "codelets/gauge/link_kernels.hpp"
#include "codelets/gauge/polyakov_lines/site.h"
#include "codelets/launch/cuda_sums.cuh"

QCD_BEGIN

__global__ void __launch_bounds__(threads_per_block)
    polyakov_lines_kernel(polyakov_lines_args a, polyakov_lines_buffers f)
{
    start_kernel();
    __shared__ warp_sums shared;
    const LanePosition at = lane_position();
    site_sums s = no_sums();
    if (at.block * QCD_LANES + at.w.lane < lines_of(a))
        s = polyakov_lines_site(a, f, at.block, at.w.lane);
    add_site_sums(shared, f.sums, s, f.sums ? polyakov_lines_which : 0);
}

void polyakov_lines_cuda(const void* args, void* const* p, const CudaCall& call)
{
    clear_sums(p[polyakov_lines_sums], call);
    launch_on_links(polyakov_lines_kernel, args, p, call);
}

QCD_END
