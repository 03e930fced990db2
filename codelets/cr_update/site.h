#pragma once
// The lanes of one block (contract: cr_update.hpp).

#include "codelets/cr_update/slots.h"
#include "codelets/device/chiral.h"
#include "codelets/device/site_sums.h"

QCD_BEGIN

QCD_FN site_sums cr_update_site(cr_update_args a, cr_update_buffers f, int block, lanes w)
{
    const int at = spinor_place(block, w), x_at = plain_spinor_place(block, w);
    const cplx alpha = csplat(f.scalars->x.alpha);
    const cplx beta = csplat(f.scalars->beta);
    // What is read again after a store is loaded again: the compiler cannot know that they differ.
    const spinor old_r = request_spinor(f.r + at, w), old_p = request_spinor(f.p + at, w);
    spinor x = old_p;
    if (f.x != 0) { // before p is overwritten: a GPU has registers for three spinors
        const cplx alpha_before = csplat(f.scalars->x.alpha_before);
        x = spinor_fma(alpha_before, old_p, request_plain_spinor(f.x + x_at, w));
    }
    const spinor p = spinor_fma(beta, old_p, old_r);
    store_spinor(f.p + at, p);
    if (f.x != 0) store_plain_spinor(f.x + x_at, spinor_fma(alpha, p, x));
    const spinor Ap = spinor_fma(beta, request_spinor(f.Ap + at, w), request_spinor(f.Ar + at, w));
    store_spinor(f.Ap + at, Ap);
    const spinor r = spinor_fma(cneg(alpha), Ap, old_r);
    store_spinor(f.r + at, r);
    site_sums s = no_sums();
    s.v[2] = spinor_norm2(r);
    return s;
}

QCD_END

QCD_UPDATE_KERNELS_WITH_SUMS(cr_update, QCD_SUM_OUT_OUT)
