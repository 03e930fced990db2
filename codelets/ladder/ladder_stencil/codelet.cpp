#include "codelets/ladder/groups.hpp"
#include "codelets/ladder/ladder_stencil/ladder_stencil.hpp"
#include "codelets/ladder/registration.hpp"
#include "codelets/ladder/slots.hpp"

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

QCD_LADDER_OPERATION(ladder_stencil, false,
                     .slots = {slot::spinor("out", Mode::writes), slot::spinor("psi", Mode::reads),
                               slot::ladder_slice("below"), slot::ladder_slice("above"),
                               slot::links("links"),
                               slot::optional({"neighbours", "numbers of sites"}),
                               slot::ladder_spin_matrices()},
                     .blocks = ladder_site_blocks<ladder_stencil_args>, .flops = flops,
                     .groups = groups, .sweeps = false)
