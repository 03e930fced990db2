#include "codelets/launch/opencl_launch.h"
#include "codelets/xpay/site.h"

QCD_KERNEL xpay_kernel(xpay_args a, QCD_GLOBAL const real* x, QCD_GLOBAL real* y)
{
    QCD_GROUPS_FIT(QCD_UPDATE_GROUPS);
    xpay_buffers f = {x, y};
    const lane_position at = position_among(a.blocks);
    if (at.block < a.blocks) xpay_site(a, f, own_block(at, a.blocks), at.w);
}
