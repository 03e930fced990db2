#include "codelets/gcr_update/site.h"
#include "codelets/launch/opencl_sums.h"

QCD_KERNEL gcr_update_kernel(gcr_update_args a, QCD_GLOBAL real* q, QCD_GLOBAL real* r,
                             QCD_GLOBAL real* z, QCD_GLOBAL const gcr_scalars* scalars,
                             QCD_GLOBAL i64* sums, QCD_GLOBAL const real* q0,
                             QCD_GLOBAL const real* q1, QCD_GLOBAL const real* q2,
                             QCD_GLOBAL const real* q3, QCD_GLOBAL const real* q4,
                             QCD_GLOBAL const real* q5, QCD_GLOBAL const real* q6,
                             QCD_GLOBAL const real* q7, QCD_GLOBAL const real* q8,
                             QCD_GLOBAL const real* q9, QCD_GLOBAL const real* q10,
                             QCD_GLOBAL const real* q11, QCD_GLOBAL const real* q12,
                             QCD_GLOBAL const real* q13, QCD_GLOBAL const real* q14)
{
    gcr_update_buffers f = {
        q, r, z, scalars, sums, {q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14}};
    QCD_SUM_OWN_SITES(gcr_update, QCD_SUM_OUT_OUT | QCD_SUM_RE_U_OUT);
}
