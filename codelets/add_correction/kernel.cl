#include "codelets/add_correction/site.h"
#include "codelets/launch/opencl_launch.h"

QCD_KERNEL add_correction_kernel(add_correction_args a, QCD_GLOBAL math* y,
                                 QCD_GLOBAL const plain* x, QCD_GLOBAL const real* before,
                                 QCD_GLOBAL const real* p,
                                 QCD_GLOBAL const scalars_with_steps* steps)
{
    add_correction_buffers f = {y, x, before, p, QCD_OWN_SCALARS(steps)};
    const lane_position at = position_among(a.blocks);
    if (at.block < a.blocks) add_correction_site(a, f, own_block(at, a.blocks), at.w);
}
