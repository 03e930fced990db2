#include "codelets/multigrid/level_groups.hpp"
#include "codelets/multigrid/orthonormalise/orthonormalise.hpp"
#include "codelets/multigrid/slots.hpp"
#include "codelets/registration.hpp"

namespace qcd
{
static double orthonormalise_flops(const void* args, unsigned)
{
    const auto& a = *static_cast<const orthonormalise_args*>(args);
    return 32.0 * a.level.blocks * 192 * a.vectors * (a.vectors - 1);
}
} // namespace qcd

QCD_OPERATION(fields, orthonormalise, .blocks = blocks_in, .flops = qcd::orthonormalise_flops,
              .groups = qcd::groups_of_blocks, .sweeps = false)
