#pragma once
// The lanes of one block (contract: cg_residual.hpp).

#include "codelets/cg_residual/slots.h"
#include "codelets/device/chiral.h"
#include "codelets/device/site_sums.h"

QCD_BEGIN

QCD_FN site_sums cg_residual_site(cg_residual_args a, cg_residual_buffers f, int block, lanes w)
{
    const int at = spinor_place(block, w);
    const cplx alpha = csplat(f.scalars->x.alpha);
    const spinor r =
        spinor_fma(cneg(alpha), request_spinor(f.q + at, w), request_spinor(f.r + at, w));
    store_spinor(f.r + at, r);
    site_sums s = no_sums();
    s.v[2] = spinor_norm2(r);
    return s;
}

QCD_END

QCD_UPDATE_KERNELS_WITH_SUMS(cg_residual, QCD_SUM_OUT_OUT)
