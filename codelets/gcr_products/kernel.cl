#include "codelets/gcr_products/site.h"
#include "codelets/launch/opencl_sums.h"

QCD_KERNEL gcr_products_kernel(gcr_products_args a, QCD_GLOBAL const real* Az,
                               QCD_GLOBAL const real* q0, QCD_GLOBAL const real* q1,
                               QCD_GLOBAL const gcr_scalars* scalars, QCD_GLOBAL i64* sums)
{
    gcr_products_buffers f = {Az, q0, q1, scalars};
    QCD_SUM_OWN_SITES(gcr_products, QCD_SUM_V_OUT | QCD_SUM_U_OUT);
}
