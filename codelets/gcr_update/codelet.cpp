#include "codelets/gcr_update/gcr_update.hpp"
#include "codelets/registration.hpp"

#include <bit>

namespace
{

using namespace qcd;

double flops(const void* args, unsigned present)
{
    const int earlier = std::popcount(present >> gcr_update_earlier);
    return 32.0 * (192 + 96 * earlier) * static_cast<const gcr_update_args*>(args)->blocks;
}

} // namespace

QCD_OPERATION(fields, gcr_update,
              .slots = {slot::spinor("q", Mode::updates), slot::spinor("r", Mode::updates),
                        slot::optional(slot::spinor("z", Mode::updates)), slot::scalars("scalars"),
                        slot::sums("sums"),
                        slot::optional(slot::several(slot::spinor("earlier", Mode::reads),
                                                     QCD_MOST_DIRECTIONS - 1))},
              .blocks = blocks_in<gcr_update_args>, .flops = flops,
              .idle = behind_closed_gate_of<gcr_update_scalars>)
