#include "codelets/study/groups.hpp"
#include "codelets/study/registration.hpp"
#include "codelets/study/slots.hpp"
#include "codelets/study/study_stencil/study_stencil.hpp"

namespace qcd
{

namespace
{

WorkGroups groups(int variant, const void* args)
{
    const auto& a = *static_cast<const study_stencil_args*>(args);
    return study_site_groups(a,
                             study_stencil_local_bytes(a.switches, real_bytes(Precision(variant))));
}

double flops(const void* args, unsigned)
{
    const auto& a = *static_cast<const study_stencil_args*>(args);
    return (a.switches & QCD_STUDY_SPARSE ? 2640. : 5328.) * a.shape.sites;
}

} // namespace

} // namespace qcd

QCD_STUDY_OPERATION(study_stencil, false,
                    .slots = {slot::spinor("out", Mode::writes), slot::spinor("psi", Mode::reads),
                              slot::study_slice("below"), slot::study_slice("above"),
                              slot::links("links"),
                              slot::optional({"neighbours", "numbers of sites"}),
                              slot::study_spin_matrices()},
                    .blocks = study_site_blocks<study_stencil_args>, .flops = flops,
                    .groups = groups, .sweeps = false)
