#include "codelets/ladder/ladder_stencil/site.h"
#include "codelets/ladder/versions.hpp"
#include "codelets/launch/cpu_launch.hpp"

QCD_BEGIN

/// The original's loop, of the worker's share.
void ladder_stencil_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const ladder_stencil_args*>(args);
    const auto f = buffers_of<ladder_stencil_buffers>(p);
    constexpr int known_to_cores = QCD_LADDER_SPARSE | QCD_LADDER_COMPUTED | QCD_LADDER_PAIRED;
    with_ladder_switches<known_to_cores>(a.switches, [&](auto switches) {
        for (int site = share.first(a.shape.sites); site < share.end(a.shape.sites); ++site)
            ladder_stencil_site(switches, a, f, site);
    });
}

QCD_END
