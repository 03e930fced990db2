#include "codelets/ladder/cuda_groups.cuh"
#include "codelets/ladder/ladder_stencil/fine.h"
#include "codelets/ladder/versions.hpp"

QCD_BEGIN

template <int switches>
__global__ void ladder_stencil_kernel(ladder_stencil_args a, KernelBuffers p)
{
    const auto f = buffers_of<ladder_stencil_buffers>(p);
    if constexpr ((switches & QCD_LADDER_FINE) != 0) {
        extern __shared__ double2 ladder_memory[]; // aligned for either precision
        ladder_stencil_fine(switches, a, f, reinterpret_cast<ladder_complex*>(ladder_memory));
    } else {
        const int site = QCD_GROUP_ID() * QCD_LADDER_GROUP + QCD_THREAD_ID();
        if (site < a.shape.sites) ladder_stencil_site(switches, a, f, site);
    }
}

void ladder_stencil_cuda(const void* args, void* const* p, const CudaCall& call)
{
    const auto& a = *static_cast<const ladder_stencil_args*>(args);
    const WorkGroups groups =
        ladder_site_groups(a, ladder_stencil_local_bytes(a.switches, sizeof(real)));
    with_ladder_switches<~0>(a.switches, [&](auto switches) {
        ladder_launch<ladder_stencil_slots>(ladder_stencil_kernel<decltype(switches)::value>,
                                            groups, a, p, call);
    });
}

QCD_END
