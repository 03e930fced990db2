#include "codelets/chiral_scale/site.h"
#include "codelets/launch/opencl_launch.h"

QCD_KERNEL chiral_scale_kernel(chiral_scale_args a, QCD_GLOBAL real* out, QCD_GLOBAL const real* in,
                               QCD_GLOBAL const solve_scalars* gate)
{
    gate = QCD_OWN_SCALARS(gate);
    if (gate_closed(gate)) return;
    chiral_scale_buffers f = {out, in, gate};
    const lane_position at = position_among(a.blocks);
    if (at.block < a.blocks) chiral_scale_site(a, f, own_block(at, a.blocks), at.w);
}
