#include "codelets/cg_update/site.h"
#include "codelets/runtime/cuda_sums.cuh"

QCD_BEGIN

__global__ void __launch_bounds__(threads_per_block, QCD_UPDATE_GROUPS)
    cg_update_kernel(cg_update_args a, KernelBuffers p)
{
    start_kernel();
    if (gate_closed(buffer<const double>(p, cg_update_coefficients))) return;
    const cg_update_buffers f = {buffer<real>(p, cg_update_x), buffer<real>(p, cg_update_r),
                                 buffer<const real>(p, cg_update_p),
                                 buffer<const real>(p, cg_update_q),
                                 buffer<const double>(p, cg_update_coefficients)};
    __shared__ warp_sums shared;
    const LanePosition at = lane_position();
    site_sums s = no_sums();
    if (at.block < a.blocks) s = cg_update_site(a, f, at.block, at.w);
    add_site_sums(shared, buffer<i64>(p, cg_update_sums), s, QCD_SUM_OUT_OUT);
}

void cg_update_cuda(const void* args, void* const* p, const CudaCall& call)
{
    const auto& a = *static_cast<const cg_update_args*>(args);
    clear_sums(p[cg_update_sums], call);
    launch(cg_update_kernel, a.blocks, a, p, cg_update_slots, call.stream);
}

QCD_END
