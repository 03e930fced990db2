#pragma once
// The lanes of one block (contract: xpay.hpp).

#include "codelets/coefficients/layout.h"
#include "codelets/device/chiral.h"
#include "codelets/device/site_sums.h"
#include "codelets/xpay/args.h"

QCD_BEGIN

typedef struct {
    QCD_GLOBAL const real* x;
    QCD_GLOBAL real* y;
    QCD_GLOBAL const double* coefficients;
} xpay_buffers;

QCD_FN void xpay_site(xpay_args a, xpay_buffers f, int block, lanes w)
{
    const int at = spinor_place(block, w);
    const cplx beta = coefficient(f.coefficients, QCD_BETA);
    store_spinor(f.y + at, spinor_fma(beta, request_spinor(f.y + at), request_spinor(f.x + at)));
}

QCD_END
