#pragma once
// One site by one thread or core (contracts.hpp).

#include "codelets/ladder/ladder_stencil/slots.h"
#include "codelets/ladder/links.h"
#include "codelets/ladder/spin.h"

QCD_BEGIN

/// The number of a neighbour, as the version finds it.
QCD_FN int ladder_stencil_neighbour(const int switches, ladder_shape g, ladder_stencil_buffers f,
                                    int site, int d)
{
    return switches & QCD_LADDER_COMPUTED ? ladder_neighbour(g, site, d)
                                          : f.neighbours[8 * site + d];
}

/// The term of direction d, added to sum: xgemm34x44, then xgemm33x34.
QCD_FN void ladder_stencil_term(const int switches, ladder_stencil_args a, ladder_stencil_buffers f,
                                int site, int d, ladder_complex sum[QCD_LADDER_ELEMENTS])
{
    const int n = ladder_stencil_neighbour(switches, a.shape, f, site, d);
    QCD_GLOBAL const ladder_complex* psi = ladder_spinor_at(a.shape, f.psi, f.below, f.above, n);
    ladder_complex t[QCD_LADDER_ELEMENTS];
    for (int c = 0; c < 3; ++c) {
        if (switches & QCD_LADDER_SPARSE) {
            t[4 * c] = ladder_xgemm34x44_element(switches, d, psi, f.spin, c, 0);
            t[4 * c + 1] = ladder_xgemm34x44_element(switches, d, psi, f.spin, c, 1);
            t[4 * c + 2] = ladder_xgemm34x44_element(switches, d, psi, f.spin, c, 2);
            t[4 * c + 3] = ladder_xgemm34x44_element(switches, d, psi, f.spin, c, 3);
        } else {
            for (int s = 0; s < 4; ++s)
                t[4 * c + s] = ladder_xgemm34x44_element(switches, d, psi, f.spin, c, s);
        }
    }
    for (int c = 0; c < 3; ++c)
        for (int k = 0; k < 3; ++k) {
            const ladder_complex u =
                f.links[ladder_link_place(switches, a.shape.sites, site, d, c, k)];
            for (int s = 0; s < 4; ++s)
                sum[4 * c + s] = ladder_mul_add(u, t[4 * k + s], sum[4 * c + s]);
        }
}

QCD_FN void ladder_stencil_site(const int switches, ladder_stencil_args a, ladder_stencil_buffers f,
                                int site)
{
    ladder_complex sum[QCD_LADDER_ELEMENTS];
    for (int e = 0; e < QCD_LADDER_ELEMENTS; ++e) sum[e] = ladder_make(0, 0);
    ladder_stencil_term(switches, a, f, site, 0, sum);
    ladder_stencil_term(switches, a, f, site, 1, sum);
    ladder_stencil_term(switches, a, f, site, 2, sum);
    ladder_stencil_term(switches, a, f, site, 3, sum);
    ladder_stencil_term(switches, a, f, site, 4, sum);
    ladder_stencil_term(switches, a, f, site, 5, sum);
    ladder_stencil_term(switches, a, f, site, 6, sum);
    ladder_stencil_term(switches, a, f, site, 7, sum);
    for (int e = 0; e < QCD_LADDER_ELEMENTS; ++e) {
        const int at = QCD_LADDER_ELEMENTS * site + e;
        f.out[at] = ladder_add(ladder_chiral_mul(a.a, f.psi[at], e % 4),
                               ladder_chiral_mul(a.b, sum[e], e % 4));
    }
}

QCD_END
