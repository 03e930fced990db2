#include "codelets/bicgstab_residual/site.h"
#include "codelets/runtime/cuda_sums.cuh"

QCD_BEGIN

__global__ void __launch_bounds__(threads_per_block, QCD_UPDATE_GROUPS)
    bicgstab_residual_kernel(bicgstab_residual_args a, KernelBuffers p)
{
    start_kernel();
    const auto f = buffers_of<bicgstab_residual_buffers>(p);
    if (gate_closed(f.coefficients)) return;
    __shared__ warp_sums shared;
    const LanePosition at = lane_position();
    site_sums s = no_sums();
    if (at.block < a.blocks) s = bicgstab_residual_site(a, f, at.block, at.w);
    add_site_sums(shared, buffer<i64>(p, bicgstab_residual_sums), s,
                  (QCD_SUM_V_OUT | QCD_SUM_OUT_OUT));
}

void bicgstab_residual_cuda(const void* args, void* const* p, const CudaCall& call)
{
    const auto& a = *static_cast<const bicgstab_residual_args*>(args);
    clear_sums(p[bicgstab_residual_sums], call);
    launch<bicgstab_residual_slots>(bicgstab_residual_kernel, a.blocks, a, p, call.stream);
}

QCD_END
