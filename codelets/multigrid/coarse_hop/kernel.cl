#include "codelets/launch/opencl_launch.h"
#include "codelets/multigrid/coarse_hop/site.h"

QCD_SLOT_KERNEL(coarse_hop)
{
    const coarse_hop_buffers of_all = {QCD_SLOT_VALUES(coarse_hop)};
    const int rhs = own_rhs();
    const coarse_hop_buffers f = coarse_hop_of_rhs(of_all, rhs);
    if (coarse_hop_closed(f)) return;
    const lane_position at = own_position();
    if (at.block >= a.blocks) return;
    spinor sum = spinor_zero();
    for (int d = 0; d < QCD_COARSE_DIRECTIONS; ++d)
        sum = spinor_add(sum, coarse_term(a, f, rhs, at.block, d, at.w));
    put_coarse_hop(a, f, rhs, at.block, at.w, sum);
}
