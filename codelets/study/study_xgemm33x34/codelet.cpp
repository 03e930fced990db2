#include "codelets/study/groups.hpp"
#include "codelets/study/registration.hpp"
#include "codelets/study/slots.hpp"
#include "codelets/study/study_xgemm33x34/study_xgemm33x34.hpp"

namespace qcd
{

namespace
{

WorkGroups groups(int, const void* args)
{
    return study_site_groups(*static_cast<const study_xgemm33x34_args*>(args), 0);
}

double flops(const void* args, unsigned present)
{
    return (present >> study_xgemm33x34_psi & 1 ? 432. : 360.) *
           static_cast<const study_xgemm33x34_args*>(args)->shape.sites;
}

} // namespace

} // namespace qcd

QCD_STUDY_OPERATION(study_xgemm33x34, true,
                    .slots = {slot::spinor("out", Mode::writes), slot::spinor("t", Mode::reads),
                              slot::links("links"),
                              slot::optional(slot::spinor("psi", Mode::reads))},
                    .blocks = study_site_blocks<study_xgemm33x34_args>, .flops = flops,
                    .groups = groups, .sweeps = false)
