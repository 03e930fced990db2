#include "codelets/ladder/groups.hpp"
#include "codelets/ladder/ladder_xgemm34x44/ladder_xgemm34x44.hpp"
#include "codelets/ladder/registration.hpp"
#include "codelets/ladder/slots.hpp"

namespace qcd
{

namespace
{

WorkGroups groups(int, const void* args)
{
    return ladder_site_groups(*static_cast<const ladder_xgemm34x44_args*>(args), 0);
}

double flops(const void* args, unsigned)
{
    return 24. * static_cast<const ladder_xgemm34x44_args*>(args)->shape.sites;
}

} // namespace

} // namespace qcd

QCD_LADDER_OPERATION(ladder_xgemm34x44, true,
                     .slots = {slot::spinor("out", Mode::writes), slot::spinor("psi", Mode::reads),
                               slot::ladder_slice("below"), slot::ladder_slice("above")},
                     .blocks = ladder_site_blocks<ladder_xgemm34x44_args>, .flops = flops,
                     .groups = groups, .sweeps = false)
