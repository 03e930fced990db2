#include "codelets/cg_residual/site.h"
#include "codelets/launch/opencl_sums.h"

QCD_KERNEL cg_residual_kernel(cg_residual_args a, QCD_GLOBAL real* r, QCD_GLOBAL const real* q,
                              QCD_GLOBAL const cg_scalars* scalars, QCD_GLOBAL i64* sums)
{
    cg_residual_buffers f = {r, q, scalars};
    QCD_SUM_OWN_SITES(cg_residual, QCD_SUM_OUT_OUT);
}
