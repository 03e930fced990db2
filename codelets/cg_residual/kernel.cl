#include "codelets/cg_residual/site.h"
#include "codelets/launch/opencl_sums.h"

QCD_KERNEL cg_residual_kernel(cg_residual_args a, QCD_GLOBAL real* r, QCD_GLOBAL const real* q,
                              QCD_GLOBAL const double* coefficients, QCD_GLOBAL i64* sums)
{
    __local group_sums group;
    QCD_GROUPS_FIT(QCD_UPDATE_GROUPS);
    if (gate_closed(coefficients)) return;
    cg_residual_buffers f = {r, q, coefficients};
    const lane_position at = lane_position_of(get_global_id(0));
    site_sums s = no_sums();
    if (at.block < a.blocks) s = cg_residual_site(a, f, at.block, at.w);
    add_site_sums(sums, s, QCD_SUM_OUT_OUT, &group);
}
