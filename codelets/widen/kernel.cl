#include "codelets/launch/opencl_launch.h"
#include "codelets/widen/site.h"

QCD_KERNEL widen_kernel(widen_args a, QCD_GLOBAL math* out, QCD_GLOBAL const real* in,
                        QCD_GLOBAL const solve_scalars* gate)
{
    gate = QCD_OWN_SCALARS(gate);
    if (gate_closed(gate)) return;
    widen_buffers f = {out, in, gate};
    const lane_position at = position_among(a.blocks);
    if (at.block < a.blocks) widen_site(a, f, own_block(at, a.blocks), at.w);
}
