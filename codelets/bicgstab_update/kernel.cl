#include "codelets/bicgstab_update/site.h"
#include "codelets/launch/opencl_sums.h"

QCD_KERNEL bicgstab_update_kernel(bicgstab_update_args a, QCD_GLOBAL plain* x, QCD_GLOBAL real* r,
                                  QCD_GLOBAL real* p, QCD_GLOBAL const real* v,
                                  QCD_GLOBAL const real* t,
                                  QCD_GLOBAL const bicgstab_scalars* scalars, QCD_GLOBAL i64* sums)
{
    bicgstab_update_buffers f = {x, r, p, v, t, scalars};
    QCD_SUM_OWN_SITES(bicgstab_update, QCD_SUM_OUT_OUT);
}
