#include "codelets/multigrid/level_groups.hpp"
#include "codelets/multigrid/restrict/restrict.hpp"
#include "codelets/multigrid/slots.hpp"
#include "codelets/registration.hpp"

namespace qcd
{
static double restrict_flops(const void* args, unsigned)
{
    const auto& a = *static_cast<const restrict_args*>(args);
    return 32.0 * 96 * a.vectors * a.level.blocks;
}
} // namespace qcd

QCD_OPERATION(fields, restrict, .blocks = blocks_in, .flops = qcd::restrict_flops,
              .idle = qcd::idle_behind<restrict_gate>, .groups = qcd::groups_of_blocks,
              .sweeps = false)
