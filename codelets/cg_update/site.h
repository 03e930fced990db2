#pragma once
// The lanes of one block (contract: cg_update.hpp).

#include "codelets/cg_update/args.h"
#include "codelets/coefficients/layout.h"
#include "codelets/device/chiral.h"
#include "codelets/device/site_sums.h"

QCD_BEGIN

typedef struct {
    QCD_GLOBAL real* x;
    QCD_GLOBAL real* r;
    QCD_GLOBAL const real* p;
    QCD_GLOBAL const real* q;
    QCD_GLOBAL const double* coefficients;
} cg_update_buffers;

QCD_FN site_sums cg_update_site(cg_update_args a, cg_update_buffers f, int block, lanes w)
{
    const int at = spinor_place(block, w);
    const cplx alpha = coefficient(f.coefficients, QCD_ALPHA);
    store_spinor(f.x + at, spinor_fma(alpha, request_spinor(f.p + at), request_spinor(f.x + at)));
    const spinor r = spinor_fma(cneg(alpha), request_spinor(f.q + at), request_spinor(f.r + at));
    store_spinor(f.r + at, r);
    site_sums s = no_sums();
    s.v[2] = spinor_norm2(r);
    return s;
}

QCD_END
