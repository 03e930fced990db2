#pragma once
// The lanes of one block (contract: cg_residual.hpp).

#include "codelets/cg_residual/args.h"
#include "codelets/cg_scalars/args.h"
#include "codelets/device/chiral.h"
#include "codelets/device/site_sums.h"

QCD_BEGIN

typedef struct {
    QCD_GLOBAL real* r;
    QCD_GLOBAL const real* q;
    QCD_GLOBAL const cg_scalars* scalars;
} cg_residual_buffers;

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
