#pragma once
// The lanes of one block (contract: cg_update.hpp).

#include "codelets/cg_update/slots.h"
#include "codelets/device/chiral.h"
#include "codelets/device/site_sums.h"

QCD_BEGIN

QCD_FN void cg_update_site(cg_update_args a, cg_update_buffers f, int block, lanes w)
{
    const int at = spinor_place(block, w), x_at = plain_spinor_place(block, w);
    const cplx beta = csplat(f.scalars->beta);
    const spinor p = request_spinor(f.p + at, w);
    if (f.x != 0) { // before p' is overwritten
        const cplx alpha = csplat(f.scalars->x.alpha);
        const cplx alpha_before = csplat(f.scalars->x.alpha_before);
        const spinor x = spinor_fma(alpha_before, request_spinor(f.next + at, w),
                                    request_plain_spinor(f.x + x_at, w));
        store_plain_spinor(f.x + x_at, spinor_fma(alpha, p, x));
    }
    const spinor next = spinor_fma(beta, p, request_spinor(f.z + at, w));
    if (f.x == 0 && a.reach == QCD_REACH_MEMORY) // a cache would read it first
        stream_spinor(f.next + at, next);
    else
        store_spinor(f.next + at, next);
}

QCD_END

QCD_UPDATE_KERNELS(cg_update)
