#include "codelets/fma_chains/site.h"
#include "codelets/launch/opencl_launch.h"

QCD_KERNEL fma_chains_kernel(fma_chains_args a, QCD_GLOBAL real* x)
{
    fma_chains_buffers f = {x};
    const lane_position at = position_among(a.blocks);
    if (at.block < a.blocks) fma_chains_site(a, f, at.block, at.w);
}
