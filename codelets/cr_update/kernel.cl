#include "codelets/cr_update/site.h"
#include "codelets/launch/opencl_sums.h"

QCD_KERNEL cr_update_kernel(cr_update_args a, QCD_GLOBAL real* x, QCD_GLOBAL real* r,
                            QCD_GLOBAL real* p, QCD_GLOBAL real* Ap, QCD_GLOBAL const real* Ar,
                            QCD_GLOBAL const double* coefficients, QCD_GLOBAL i64* sums)
{
    __local group_sums group;
    QCD_GROUPS_FIT(QCD_UPDATE_GROUPS);
    if (gate_closed(coefficients)) return;
    cr_update_buffers f = {x, r, p, Ap, Ar, coefficients};
    const lane_position at = lane_position_of(get_global_id(0));
    site_sums s = no_sums();
    if (at.block < a.blocks) s = cr_update_site(a, f, at.block, at.w);
    add_site_sums(sums, s, QCD_SUM_OUT_OUT, &group);
}
