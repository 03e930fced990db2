#include "codelets/study/groups.hpp"
#include "codelets/study/registration.hpp"
#include "codelets/study/slots.hpp"
#include "codelets/study/study_xgemm34x44/study_xgemm34x44.hpp"

namespace qcd
{

namespace
{

WorkGroups groups(int, const void* args)
{
    return study_site_groups(*static_cast<const study_xgemm34x44_args*>(args), 0);
}

double flops(const void* args, unsigned)
{
    return 24. * static_cast<const study_xgemm34x44_args*>(args)->shape.sites;
}

} // namespace

} // namespace qcd

QCD_STUDY_OPERATION(study_xgemm34x44, true,
                    .slots = {slot::spinor("out", Mode::writes), slot::spinor("psi", Mode::reads),
                              slot::study_slice("below"), slot::study_slice("above")},
                    .blocks = study_site_blocks<study_xgemm34x44_args>, .flops = flops,
                    .groups = groups, .sweeps = false)
