#pragma once
// The lanes of one block (contract: gcr_update.hpp).

#include "codelets/device/site_sums.h"
#include "codelets/device/spinor.h"
#include "codelets/gcr_update/slots.h"

QCD_BEGIN

QCD_FN site_sums gcr_update_site(gcr_update_args a, gcr_update_buffers f, int block, lanes w)
{
    const int at = spinor_place(block, w);
    spinor q = request_spinor(f.q + at, w);
#if defined(__OPENCL_VERSION__) || defined(__CUDA_ARCH__)
#pragma unroll // pointers in registers
#endif
    for (int l = 0; l < QCD_MOST_EARLIER; ++l)
        if (f.earlier[l] != 0)
            q = spinor_fma(cneg(csplat(f.scalars->beta[l])), request_spinor(f.earlier[l] + at, w),
                           q);
    const cplx alpha = csplat(f.scalars->alpha[(int)f.scalars->directions - 1]);
    const spinor r = spinor_fma(cneg(alpha), q, request_spinor(f.r + at, w));
    store_spinor(f.q + at, q);
    store_spinor(f.r + at, r);
    if (f.z != 0) store_spinor(f.z + at, r);
    site_sums s = no_sums();
    s.v[2] = spinor_norm2(r);
    s.v[3] = spinor_norm2(q);
    return s;
}

QCD_END

QCD_UPDATE_KERNELS_WITH_SUMS(gcr_update, QCD_SUM_OUT_OUT | QCD_SUM_RE_U_OUT)
