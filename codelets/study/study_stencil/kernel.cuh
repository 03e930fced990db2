#include "codelets/study/cuda_groups.cuh"
#include "codelets/study/study_stencil/fine.h"
#include "codelets/study/versions.hpp"

QCD_BEGIN

template <int switches>
__global__ void study_stencil_kernel(study_stencil_args a, KernelBuffers p)
{
    const auto f = buffers_of<study_stencil_buffers>(p);
    if constexpr ((switches & QCD_STUDY_FINE) != 0) {
        extern __shared__ double2 study_memory[]; // aligned for either precision
        study_stencil_fine(switches, a, f, reinterpret_cast<study_complex*>(study_memory));
    } else {
        const int site = QCD_GROUP_ID() * QCD_STUDY_GROUP + QCD_THREAD_ID();
        if (site < a.shape.sites) study_stencil_site(switches, a, f, site);
    }
}

void study_stencil_cuda(const void* args, void* const* p, const CudaCall& call)
{
    const auto& a = *static_cast<const study_stencil_args*>(args);
    const WorkGroups groups =
        study_site_groups(a, study_stencil_local_bytes(a.switches, sizeof(real)));
    with_study_switches<~0>(a.switches, [&](auto switches) {
        study_launch<study_stencil_slots>(study_stencil_kernel<decltype(switches)::value>, groups,
                                          a, p, call);
    });
}

QCD_END
