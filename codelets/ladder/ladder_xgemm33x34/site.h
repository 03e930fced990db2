#pragma once
// One element of a site (contracts.hpp).

#include "codelets/ladder/ladder_xgemm33x34/slots.h"
#include "codelets/ladder/links.h"

QCD_BEGIN

QCD_FN void ladder_xgemm33x34_site(ladder_xgemm33x34_args a, ladder_xgemm33x34_buffers f, int d,
                                   int site, int c, int s)
{
    const int spinor = QCD_LADDER_ELEMENTS * site, e = 4 * c + s;
    ladder_complex sum = ladder_make(0, 0);
    for (int k = 0; k < 3; ++k)
        sum = ladder_mul_add(f.links[ladder_link_place(a.switches, a.shape.sites, site, d, c, k)],
                             f.t[spinor + 4 * k + s], sum);
    const ladder_complex before =
        f.psi ? ladder_chiral_mul(a.a, f.psi[spinor + e], s) : f.out[spinor + e];
    f.out[spinor + e] = ladder_add(before, ladder_chiral_mul(a.b, sum, s));
}

QCD_END

QCD_LADDER_SITE_KERNELS(ladder_xgemm33x34)
