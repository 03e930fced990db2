#include "codelets/runtime/cuda_launch.cuh"
#include "codelets/xpay/site.h"

QCD_BEGIN

__global__ void __launch_bounds__(threads_per_block, QCD_UPDATE_GROUPS)
    xpay_kernel(xpay_args a, KernelBuffers p)
{
    start_kernel();
    if (gate_closed(buffer<const double>(p, xpay_coefficients))) return;
    const xpay_buffers f = {buffer<const real>(p, xpay_x), buffer<real>(p, xpay_y),
                            buffer<const double>(p, xpay_coefficients)};
    const LanePosition at = lane_position();
    if (at.block < a.blocks) xpay_site(a, f, at.block, at.w);
}

void xpay_cuda(const void* args, void* const* p, const CudaCall& call)
{
    const auto& a = *static_cast<const xpay_args*>(args);
    launch(xpay_kernel, a.blocks, a, p, xpay_slots, call.stream);
}

QCD_END
