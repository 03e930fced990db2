#include "codelets/cg_update/site.h"
#include "codelets/runtime/cuda_sums.cuh"

QCD_BEGIN

__global__ void __launch_bounds__(threads_per_block, QCD_UPDATE_GROUPS)
    cg_update_kernel(cg_update_args a, KernelBuffers p)
{
    start_kernel();
    const auto f = buffers_of<cg_update_buffers>(p);
    if (gate_closed(f.coefficients)) return;
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
    launch<cg_update_slots>(cg_update_kernel, a.blocks, a, p, call.stream);
}

QCD_END
