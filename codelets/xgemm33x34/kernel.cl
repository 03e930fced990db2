#include "codelets/launch/opencl_launch.h"
#include "codelets/xgemm33x34/site.h"

QCD_KERNEL xgemm33x34_kernel(xgemm33x34_args a, QCD_GLOBAL real* out, QCD_GLOBAL const real* links,
                             QCD_GLOBAL const real* psi)
{
    xgemm33x34_buffers f = {out, links, psi};
    const lane_position at = position_among(a.blocks);
    if (at.block < a.blocks) xgemm33x34_site(a, f, at.block, at.w);
}
