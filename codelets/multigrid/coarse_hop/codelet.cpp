#include "codelets/multigrid/coarse_hop/coarse_hop.hpp"
#include "codelets/multigrid/slots.hpp"
#include "codelets/registration.hpp"

namespace qcd
{
static double coarse_hop_flops(const void* args, unsigned)
{
    const auto& a = *static_cast<const coarse_hop_args*>(args);
    constexpr int of_lane = 12, flops = 8; // a complex product and sum
    return 32.0 * a.level.blocks * of_lane * flops * QCD_COARSE_DIRECTIONS * of_lane *
           a.level.lanes;
}
} // namespace qcd

QCD_OPERATION(fields, coarse_hop, .blocks = blocks_in, .flops = qcd::coarse_hop_flops,
              .idle = qcd::idle_behind<coarse_hop_gate>, .sweeps = false)
