#include "codelets/launch/opencl_launch.h"
#include "codelets/xgemm34x44/site.h"

QCD_KERNEL xgemm34x44_kernel(xgemm34x44_args a, QCD_GLOBAL real* out, QCD_GLOBAL const real* psi)
{
    xgemm34x44_buffers f = {out, psi};
    const lane_position at = position_among(a.blocks);
    if (at.block < a.blocks) xgemm34x44_site(a, f, at.block, at.w);
}
