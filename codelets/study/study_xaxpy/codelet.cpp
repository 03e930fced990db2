#include "codelets/registration.hpp"
#include "codelets/study/groups.hpp"
#include "codelets/study/slots.hpp"
#include "codelets/study/study_xaxpy/study_xaxpy.hpp"

namespace qcd
{

namespace
{

double flops(const void* args, unsigned present)
{
    return (present >> study_xaxpy_alpha & 1 ? 8. : 4.) *
           static_cast<const study_xaxpy_args*>(args)->vector.elements;
}

} // namespace

} // namespace qcd

QCD_OPERATION(fields, study_xaxpy,
              .slots = {slot::spinor("y", Mode::updates), slot::spinor("x", Mode::reads),
                        slot::optional(slot::study_sums("alpha", Mode::reads))},
              .blocks = study_vector_blocks<study_xaxpy_args>, .flops = flops,
              .groups = study_vector_groups<study_xaxpy_args>, .sweeps = false)
