#include "codelets/cr_update/site.h"
#include "codelets/launch/opencl_sums.h"

QCD_KERNEL cr_update_kernel(cr_update_args a, QCD_GLOBAL plain* x, QCD_GLOBAL real* r,
                            QCD_GLOBAL real* p, QCD_GLOBAL real* Ap, QCD_GLOBAL const real* Ar,
                            QCD_GLOBAL const cr_scalars* scalars, QCD_GLOBAL i64* sums)
{
    cr_update_buffers f = {x, r, p, Ap, Ar, scalars};
    QCD_SUM_OWN_SITES(cr_update, QCD_SUM_OUT_OUT);
}
