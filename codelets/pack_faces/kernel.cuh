#include "codelets/launch/cuda_launch.cuh"
#include "codelets/pack_faces/site.h"

QCD_BEGIN

__global__ void __launch_bounds__(threads_per_block)
    pack_faces_kernel(pack_faces_args a, KernelBuffers p)
{
    start_kernel();
    if (gate_closed(gate_of(buffer<const solve_scalars>(p, pack_faces_gate), own_rhs()))) return;
    const LanePosition at = lane_position();
    if (at.block >= packed_blocks(a.shape)) return;
    const face_item item = face_item_of(a.shape, at.block);
    const packed_buffers f =
        packed_buffers_of(a.shape, buffer<const real>(p, pack_faces_psi),
                          buffer<math>(p, pack_faces_faces + item.face), item.face, own_rhs());
    pack_faces_site(a, f.psi, buffer<const real>(p, pack_faces_links), f.face, item, at.w);
}

void pack_faces_cuda(const void* args, void* const* p, const CudaCall& call)
{
    const auto& a = *static_cast<const pack_faces_args*>(args);
    launch<pack_faces_slots>(pack_faces_kernel, packed_blocks(a.shape), a, p, call);
}

QCD_END
