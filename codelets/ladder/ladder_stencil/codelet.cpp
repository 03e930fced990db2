#include "codelets/ladder/contracts.hpp"
#include "codelets/ladder/registration.hpp"

namespace qcd
{

namespace
{

WorkGroups groups(int variant, const void* args)
{
    const auto& a = *static_cast<const ladder_stencil_args*>(args);
    return ladder_site_groups(
        a, ladder_stencil_local_bytes(a.switches, real_bytes(Precision(variant))));
}

double flops(const void* args, unsigned)
{
    const auto& a = *static_cast<const ladder_stencil_args*>(args);
    return (a.switches & QCD_LADDER_SPARSE ? 2640. : 5328.) * a.shape.sites;
}

} // namespace

} // namespace qcd

QCD_LADDER_OPERATION(fields, ladder_stencil, false,
                     .blocks = ladder_site_blocks<ladder_stencil_args>, .flops = flops,
                     .groups = groups, .sweeps = false)
