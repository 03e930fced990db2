#include "codelets/cr_update/site.h"
#include "codelets/runtime/cuda_sums.cuh"

QCD_BEGIN

__global__ void __launch_bounds__(threads_per_block, QCD_UPDATE_GROUPS)
    cr_update_kernel(cr_update_args a, KernelBuffers p)
{
    start_kernel();
    const auto f = buffers_of<cr_update_buffers>(p);
    if (gate_closed(f.coefficients)) return;
    __shared__ warp_sums shared;
    const LanePosition at = lane_position();
    site_sums s = no_sums();
    if (at.block < a.blocks) s = cr_update_site(a, f, at.block, at.w);
    add_site_sums(shared, buffer<i64>(p, cr_update_sums), s, QCD_SUM_OUT_OUT);
}

void cr_update_cuda(const void* args, void* const* p, const CudaCall& call)
{
    const auto& a = *static_cast<const cr_update_args*>(args);
    clear_sums(p[cr_update_sums], call);
    launch<cr_update_slots>(cr_update_kernel, a.blocks, a, p, call.stream);
}

QCD_END
