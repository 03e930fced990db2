#include "codelets/runtime/cuda_launch.cuh"
#include "codelets/xpay/site.h"

QCD_BEGIN

__global__ void __launch_bounds__(threads_per_block, QCD_UPDATE_GROUPS)
    xpay_kernel(xpay_args a, KernelBuffers p)
{
    start_kernel();
    const auto f = buffers_of<xpay_buffers>(p);
    if (gate_closed(f.coefficients)) return;
    const LanePosition at = lane_position();
    if (at.block < a.blocks) xpay_site(a, f, at.block, at.w);
}

void xpay_cuda(const void* args, void* const* p, const CudaCall& call)
{
    const auto& a = *static_cast<const xpay_args*>(args);
    launch<xpay_slots>(xpay_kernel, a.blocks, a, p, call.stream);
}

QCD_END
