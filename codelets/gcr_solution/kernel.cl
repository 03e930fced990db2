#include "codelets/gcr_solution/site.h"
#include "codelets/launch/opencl_launch.h"

QCD_KERNEL gcr_solution_kernel(gcr_solution_args a, QCD_GLOBAL real* x,
                               QCD_GLOBAL const gcr_scalars* scalars, QCD_GLOBAL const real* z0,
                               QCD_GLOBAL const real* z1, QCD_GLOBAL const real* z2,
                               QCD_GLOBAL const real* z3, QCD_GLOBAL const real* z4,
                               QCD_GLOBAL const real* z5, QCD_GLOBAL const real* z6,
                               QCD_GLOBAL const real* z7, QCD_GLOBAL const real* z8,
                               QCD_GLOBAL const real* z9, QCD_GLOBAL const real* z10,
                               QCD_GLOBAL const real* z11, QCD_GLOBAL const real* z12,
                               QCD_GLOBAL const real* z13, QCD_GLOBAL const real* z14,
                               QCD_GLOBAL const real* z15)
{
    QCD_GROUPS_FIT(QCD_UPDATE_GROUPS);
    scalars = QCD_OWN_SCALARS(scalars);
    if (gate_closed(&scalars->solve)) return;
    gcr_solution_buffers f = {
        x, scalars, {z0, z1, z2, z3, z4, z5, z6, z7, z8, z9, z10, z11, z12, z13, z14, z15}};
    const lane_position at = position_among(a.blocks);
    if (at.block < a.blocks) gcr_solution_site(a, f, own_block(at, a.blocks), at.w);
}
