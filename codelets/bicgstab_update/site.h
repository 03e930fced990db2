#pragma once
// The lanes of one block (contract: bicgstab_update.hpp).

#include "codelets/bicgstab_update/slots.h"
#include "codelets/device/chiral.h"
#include "codelets/device/site_sums.h"

QCD_BEGIN

QCD_FN site_sums bicgstab_update_site(bicgstab_update_args a, bicgstab_update_buffers f, int block,
                                      lanes w)
{
    const int at = spinor_place(block, w), x_at = plain_spinor_place(block, w);
    const cplx alpha = csplat(f.scalars->alpha);
    const cplx beta = csplat(f.scalars->beta);
    const cplx omega = csplat(f.scalars->omega);
    // What is loaded together is stored together: after a store a GPU would wait with loads.
    const spinor old_s = request_spinor(f.r + at, w), old_p = request_spinor(f.p + at, w);
    store_plain_spinor(
        f.x + x_at,
        spinor_fma(omega, old_s, spinor_fma(alpha, old_p, request_plain_spinor(f.x + x_at, w))));
    const spinor r = spinor_fma(cneg(omega), request_spinor(f.t + at, w), old_s);
    const spinor p =
        spinor_fma(beta, spinor_fma(cneg(omega), request_spinor(f.v + at, w), old_p), r);
    store_spinor(f.r + at, r);
    store_spinor(f.p + at, p);
    site_sums s = no_sums();
    s.v[2] = spinor_norm2(r);
    return s;
}

QCD_END

QCD_UPDATE_KERNELS_WITH_SUMS(bicgstab_update, QCD_SUM_OUT_OUT)
