#include "codelets/ladder/groups.hpp"
#include "codelets/ladder/ladder_xaxpy/ladder_xaxpy.hpp"
#include "codelets/ladder/slots.hpp"
#include "codelets/registration.hpp"

namespace qcd
{

namespace
{

double flops(const void* args, unsigned present)
{
    return (present >> ladder_xaxpy_alpha & 1 ? 8. : 4.) *
           static_cast<const ladder_xaxpy_args*>(args)->vector.elements;
}

} // namespace

} // namespace qcd

QCD_OPERATION(fields, ladder_xaxpy,
              .slots = {slot::spinor("y", Mode::updates), slot::spinor("x", Mode::reads),
                        slot::optional(slot::ladder_sums("alpha", Mode::reads))},
              .blocks = ladder_vector_blocks<ladder_xaxpy_args>, .flops = flops,
              .groups = ladder_vector_groups<ladder_xaxpy_args>, .sweeps = false)
