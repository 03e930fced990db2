#include "codelets/chiral_scale/site.h"
#include "codelets/runtime/cuda_launch.cuh"

QCD_BEGIN

__global__ void __launch_bounds__(threads_per_block)
    chiral_scale_kernel(chiral_scale_args a, KernelBuffers p)
{
    start_kernel();
    const auto f = buffers_of<chiral_scale_buffers>(p);
    const LanePosition at = lane_position();
    if (at.block < a.blocks) chiral_scale_site(a, f, at.block, at.w);
}

void chiral_scale_cuda(const void* args, void* const* p, const CudaCall& call)
{
    const auto& a = *static_cast<const chiral_scale_args*>(args);
    launch<chiral_scale_slots>(chiral_scale_kernel, a.blocks, a, p, call.stream);
}

QCD_END
