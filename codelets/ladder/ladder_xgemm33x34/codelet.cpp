#include "codelets/ladder/groups.hpp"
#include "codelets/ladder/ladder_xgemm33x34/ladder_xgemm33x34.hpp"
#include "codelets/ladder/registration.hpp"
#include "codelets/ladder/slots.hpp"

namespace qcd
{

namespace
{

WorkGroups groups(int, const void* args)
{
    return ladder_site_groups(*static_cast<const ladder_xgemm33x34_args*>(args), 0);
}

double flops(const void* args, unsigned present)
{
    return (present >> ladder_xgemm33x34_psi & 1 ? 432. : 360.) *
           static_cast<const ladder_xgemm33x34_args*>(args)->shape.sites;
}

} // namespace

} // namespace qcd

QCD_LADDER_OPERATION(ladder_xgemm33x34, true,
                     .slots = {slot::spinor("out", Mode::writes), slot::spinor("t", Mode::reads),
                               slot::links("links"),
                               slot::optional(slot::spinor("psi", Mode::reads))},
                     .blocks = ladder_site_blocks<ladder_xgemm33x34_args>, .flops = flops,
                     .groups = groups, .sweeps = false)
