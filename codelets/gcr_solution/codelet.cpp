#include "codelets/gcr_solution/gcr_solution.hpp"
#include "codelets/registration.hpp"

#include <bit>

namespace
{

using namespace qcd;

double flops(const void* args, unsigned present)
{
    const int directions = std::popcount(present >> gcr_solution_z);
    return 32.0 * 96 * directions * static_cast<const gcr_solution_args*>(args)->blocks;
}

} // namespace

QCD_OPERATION(fields, gcr_solution,
              .slots = {slot::spinor("x", Mode::updates), slot::scalars("scalars"),
                        slot::optional(slot::several(slot::spinor("z", Mode::reads),
                                                     QCD_MOST_DIRECTIONS))},
              .blocks = blocks_in<gcr_solution_args>, .flops = flops,
              .idle = behind_closed_gate_of<gcr_solution_scalars>)
