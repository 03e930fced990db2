#include "codelets/launch/cpu_launch.hpp"
#include "codelets/study/study_stencil/site.h"
#include "codelets/study/versions.hpp"

QCD_BEGIN

/// The original's loop, of the worker's share.
void study_stencil_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const study_stencil_args*>(args);
    const auto f = buffers_of<study_stencil_buffers>(p);
    constexpr int known_to_cores = QCD_STUDY_SPARSE | QCD_STUDY_COMPUTED | QCD_STUDY_PAIRED;
    with_study_switches<known_to_cores>(a.switches, [&](auto switches) {
        for (int site = share.first(a.shape.sites); site < share.end(a.shape.sites); ++site)
            study_stencil_site(switches, a, f, site);
    });
}

QCD_END
