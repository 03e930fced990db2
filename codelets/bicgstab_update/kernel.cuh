#include "codelets/bicgstab_update/site.h"
#include "codelets/runtime/cuda_sums.cuh"

QCD_BEGIN

__global__ void __launch_bounds__(threads_per_block, QCD_UPDATE_GROUPS)
    bicgstab_update_kernel(bicgstab_update_args a, KernelBuffers p)
{
    start_kernel();
    if (gate_closed(buffer<const double>(p, bicgstab_update_coefficients))) return;
    const bicgstab_update_buffers f = {buffer<real>(p, bicgstab_update_x),
                                       buffer<real>(p, bicgstab_update_r),
                                       buffer<real>(p, bicgstab_update_p),
                                       buffer<const real>(p, bicgstab_update_v),
                                       buffer<const real>(p, bicgstab_update_t),
                                       buffer<const double>(p, bicgstab_update_coefficients)};
    __shared__ warp_sums shared;
    const LanePosition at = lane_position();
    site_sums s = no_sums();
    if (at.block < a.blocks) s = bicgstab_update_site(a, f, at.block, at.w);
    add_site_sums(shared, buffer<i64>(p, bicgstab_update_sums), s, QCD_SUM_OUT_OUT);
}

void bicgstab_update_cuda(const void* args, void* const* p, const CudaCall& call)
{
    const auto& a = *static_cast<const bicgstab_update_args*>(args);
    clear_sums(p[bicgstab_update_sums], call);
    launch(bicgstab_update_kernel, a.blocks, a, p, bicgstab_update_slots, call.stream);
}

QCD_END
