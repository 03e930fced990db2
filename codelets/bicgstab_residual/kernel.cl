#include "codelets/bicgstab_residual/site.h"
#include "codelets/launch/opencl_sums.h"

QCD_KERNEL bicgstab_residual_kernel(bicgstab_residual_args a, QCD_GLOBAL real* r,
                                    QCD_GLOBAL const real* v, QCD_GLOBAL const real* shadow,
                                    QCD_GLOBAL const bicgstab_scalars* scalars,
                                    QCD_GLOBAL i64* sums)
{
    bicgstab_residual_buffers f = {r, v, shadow, scalars};
    QCD_SUM_OWN_SITES(bicgstab_residual, QCD_SUM_V_OUT | QCD_SUM_OUT_OUT);
}
