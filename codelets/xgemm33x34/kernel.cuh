#include "codelets/runtime/cuda_launch.cuh"
#include "codelets/xgemm33x34/site.h"

QCD_BEGIN

__global__ void __launch_bounds__(threads_per_block)
    xgemm33x34_kernel(xgemm33x34_args a, KernelBuffers p)
{
    start_kernel();
    const auto f = buffers_of<xgemm33x34_buffers>(p);
    const LanePosition at = lane_position();
    if (at.block < a.blocks) xgemm33x34_site(a, f, at.block, at.w);
}

void xgemm33x34_cuda(const void* args, void* const* p, const CudaCall& call)
{
    const auto& a = *static_cast<const xgemm33x34_args*>(args);
    launch<xgemm33x34_slots>(xgemm33x34_kernel, a.blocks, a, p, call.stream);
}

QCD_END
