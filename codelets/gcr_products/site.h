#pragma once
// The lanes of one block (contract: gcr_products.hpp).

#include "codelets/device/site_sums.h"
#include "codelets/device/spinor.h"
#include "codelets/gcr_products/slots.h"

QCD_BEGIN

QCD_FN site_sums gcr_products_site(gcr_products_args a, gcr_products_buffers f, int block, lanes w)
{
    const int at = spinor_place(block, w);
    const spinor Az = load_spinor(f.Az + at), q0 = load_spinor(f.q0 + at);
    site_sums s = no_sums();
    s.v[0] = spinor_dot_re(q0, Az);
    s.v[1] = spinor_dot_im(q0, Az);
    if (f.q1 == 0) return s;
    const spinor q1 = load_spinor(f.q1 + at);
    s.v[3] = spinor_dot_re(q1, Az);
    s.v[4] = spinor_dot_im(q1, Az);
    return s;
}

QCD_END

QCD_UPDATE_KERNELS_WITH_SUMS(gcr_products, QCD_SUM_V_OUT | QCD_SUM_U_OUT)
