#pragma once
// The lanes of one block (contract: xgemm34x44.hpp).

#include "codelets/device/chiral.h"
#include "codelets/device/site_sums.h"
#include "codelets/xgemm34x44/slots.h"

QCD_BEGIN

QCD_FN void xgemm34x44_site(xgemm34x44_args a, xgemm34x44_buffers f, int block, lanes w)
{
    const int at = spinor_place(block, w);
    const spinor s = request_spinor(f.psi + at, w);
    spinor out = spinor_zero();
#define QCD_DIRECTION(mu_)                                                                         \
    if (a.mu == mu_)                                                                               \
    out = a.sign > 0 ? add_reconstructed(mu_, +1, out, project(mu_, +1, s))                        \
                     : add_reconstructed(mu_, -1, out, project(mu_, -1, s))
    QCD_DIRECTION(0);
    QCD_DIRECTION(1);
    QCD_DIRECTION(2);
    QCD_DIRECTION(3);
#undef QCD_DIRECTION
    store_spinor(f.out + at, out);
}

QCD_END

QCD_SITE_KERNELS(xgemm34x44)
