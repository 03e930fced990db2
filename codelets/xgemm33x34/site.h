#pragma once
// The lanes of one block (contract: xgemm33x34.hpp).

#include "codelets/device/link.h"
#include "codelets/device/site_sums.h"
#include "codelets/xgemm33x34/slots.h"

QCD_BEGIN

QCD_FN void xgemm33x34_site(xgemm33x34_args a, xgemm33x34_buffers f, int block, lanes w)
{
    const int at = spinor_place(block, w);
    const su3 u = load_su3(f.links + link_place(a.blocks, a.mu, block, w), 0);
    const spinor s = request_spinor(f.psi + at, w);
    store_spinor(f.out + at, a.dagger
                                 ? spinor_make(su3_dagger_mul(u, s.s0), su3_dagger_mul(u, s.s1),
                                               su3_dagger_mul(u, s.s2), su3_dagger_mul(u, s.s3))
                                 : spinor_make(su3_mul(u, s.s0), su3_mul(u, s.s1), su3_mul(u, s.s2),
                                               su3_mul(u, s.s3)));
}

QCD_END

QCD_SITE_KERNELS(xgemm33x34)
