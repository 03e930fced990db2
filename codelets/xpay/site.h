#pragma once
// The lanes of one block (contract: xpay.hpp).

#include "codelets/device/chiral.h"
#include "codelets/device/site_sums.h"
#include "codelets/xpay/slots.h"

QCD_BEGIN

QCD_FN void xpay_site(xpay_args a, xpay_buffers f, int block, lanes w)
{
    const int at = spinor_place(block, w);
    const cplx beta = csplat(a.beta);
    store_spinor(f.y + at,
                 spinor_fma(beta, request_spinor(f.y + at, w), request_spinor(f.x + at, w)));
}

QCD_END

QCD_UPDATE_KERNELS(xpay)
