#include "codelets/hopping/site.h"
#include "codelets/runtime/cuda_launch.cuh"

QCD_BEGIN

__device__ inline hopping_buffers hopping_buffers_of(KernelBuffers p)
{
    hopping_buffers f = {buffer<real>(p, hopping_out),
                         buffer<const real>(p, hopping_psi),
                         buffer<const real>(p, hopping_links),
                         buffer<const real>(p, hopping_links_other),
                         buffer<const real>(p, hopping_v),
                         buffer<const real>(p, hopping_u),
                         {}};
    for (int i = 0; i < 8; ++i) f.faces[i] = buffer<const math>(p, hopping_faces + i);
    return f;
}

__global__ void __launch_bounds__(threads_per_block) hopping_kernel(hopping_args a, KernelBuffers p)
{
    if (gate_closed(buffer<const double>(p, hopping_gate))) return;
    const LanePosition at = lane_position();
    site_sums s = no_sums();
    if (at.block < a.shape.blocks) {
        const block_place place = place_of_block(a.shape, at.block);
        if (hopping_has_block(a, place))
            s = hopping_site(a, hopping_buffers_of(p), place, at.block,
                             neighbour_blocks(a.shape, place, a.parity), at.w);
    }
    add_site_sums(buffer<i64>(p, hopping_sums), s, a.sums);
}

void hopping_cuda(const void* args, void* const* p, cudaStream_t stream)
{
    const auto& a = *static_cast<const hopping_args*>(args);
    if (a.part != QCD_HOPPING_BOUNDARY) clear_sums(p[hopping_sums], stream);
    launch(hopping_kernel, a.shape.blocks, a, p, hopping_slots, stream);
}

QCD_END
