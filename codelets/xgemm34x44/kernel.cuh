#include "codelets/runtime/cuda_launch.cuh"
#include "codelets/xgemm34x44/site.h"

QCD_BEGIN

__global__ void __launch_bounds__(threads_per_block)
    xgemm34x44_kernel(xgemm34x44_args a, KernelBuffers p)
{
    start_kernel();
    const auto f = buffers_of<xgemm34x44_buffers>(p);
    const LanePosition at = lane_position();
    if (at.block < a.blocks) xgemm34x44_site(a, f, at.block, at.w);
}

void xgemm34x44_cuda(const void* args, void* const* p, const CudaCall& call)
{
    const auto& a = *static_cast<const xgemm34x44_args*>(args);
    launch<xgemm34x44_slots>(xgemm34x44_kernel, a.blocks, a, p, call.stream);
}

QCD_END
