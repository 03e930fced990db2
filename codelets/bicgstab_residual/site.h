#pragma once
// The lanes of one block (contract: bicgstab_residual.hpp).

#include "codelets/bicgstab_residual/slots.h"
#include "codelets/device/chiral.h"
#include "codelets/device/site_sums.h"

QCD_BEGIN

QCD_FN site_sums bicgstab_residual_site(bicgstab_residual_args a, bicgstab_residual_buffers f,
                                        int block, lanes w)
{
    const int at = spinor_place(block, w);
    const cplx alpha = csplat(f.scalars->alpha);
    // All is asked for before the store: a GPU would wait with what the store might change.
    const spinor shadow = request_spinor(f.shadow + at, w);
    const spinor s =
        spinor_fma(cneg(alpha), request_spinor(f.v + at, w), request_spinor(f.r + at, w));
    store_spinor(f.r + at, s);
    site_sums sums = no_sums();
    sums.v[0] = spinor_dot_re(shadow, s);
    sums.v[1] = spinor_dot_im(shadow, s);
    sums.v[2] = spinor_norm2(s);
    return sums;
}

QCD_END

QCD_UPDATE_KERNELS_WITH_SUMS(bicgstab_residual, QCD_SUM_V_OUT | QCD_SUM_OUT_OUT)
