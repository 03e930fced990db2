#pragma once
// The lanes of one block (contract: coarse_products.hpp).

#include "codelets/multigrid/coarse_products/slots.h"
#include "codelets/multigrid/level.h"

QCD_BEGIN

QCD_FN site_sums coarse_products_site(coarse_products_args a, coarse_products_buffers f, int block,
                                      lanes w)
{
    const int at = spinor_place(block, w);
    const spinor q = load_spinor(f.q + at), u = load_spinor((f.u != 0 ? f.u : f.q) + at);
    site_sums s = no_sums();
    s.v[2] = spinor_norm2(q);
    s.v[3] = spinor_dot_re(u, q);
    s.v[4] = spinor_dot_im(u, q);
    return s;
}

QCD_END

QCD_UPDATE_KERNELS_WITH_SUMS(coarse_products, QCD_SUM_OUT_OUT | QCD_SUM_U_OUT)
