#include "codelets/launch/opencl_launch.h"
#include "codelets/narrow/site.h"

QCD_KERNEL narrow_kernel(narrow_args a, QCD_GLOBAL real* out, QCD_GLOBAL const math* in)
{
    narrow_buffers f = {out, in};
    const lane_position at = position_among(a.blocks);
    if (at.block < a.blocks) narrow_site(a, f, own_block(at, a.blocks), at.w);
}
