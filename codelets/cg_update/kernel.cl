#include "codelets/cg_update/site.h"
#include "codelets/launch/opencl_launch.h"

QCD_KERNEL cg_update_kernel(cg_update_args a, QCD_GLOBAL plain* x, QCD_GLOBAL real* next,
                            QCD_GLOBAL const real* p, QCD_GLOBAL const real* z,
                            QCD_GLOBAL const cg_scalars* scalars)
{
    QCD_GROUPS_FIT(QCD_UPDATE_GROUPS);
    scalars = QCD_OWN_SCALARS(scalars);
    if (gate_closed(&scalars->solve)) return;
    cg_update_buffers f = {x, next, p, z, scalars};
    const lane_position at = position_among(a.blocks);
    if (at.block < a.blocks) cg_update_site(a, f, own_block(at, a.blocks), at.w);
}
