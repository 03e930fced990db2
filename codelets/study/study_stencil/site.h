#pragma once
// One site by one thread or core (contract: study_stencil.hpp).

#include "codelets/study/links.h"
#include "codelets/study/spin.h"
#include "codelets/study/study_stencil/args.h"

QCD_BEGIN

typedef struct {
    QCD_GLOBAL study_complex* out;
    QCD_GLOBAL const study_complex* psi;
    QCD_GLOBAL const study_complex* below;
    QCD_GLOBAL const study_complex* above;
    QCD_GLOBAL const study_complex* links;
    QCD_GLOBAL const int* neighbours;
    QCD_GLOBAL const study_complex* spin;
} study_stencil_buffers;

/// The number of a neighbour, as the version finds it.
QCD_FN int study_stencil_neighbour(const int switches, study_shape g, study_stencil_buffers f,
                                   int site, int d)
{
    return switches & QCD_STUDY_COMPUTED ? study_neighbour(g, site, d) : f.neighbours[8 * site + d];
}

/// The term of direction d, added to sum: xgemm34x44, then xgemm33x34.
QCD_FN void study_stencil_term(const int switches, study_stencil_args a, study_stencil_buffers f,
                               int site, int d, study_complex sum[QCD_STUDY_ELEMENTS])
{
    const int n = study_stencil_neighbour(switches, a.shape, f, site, d);
    QCD_GLOBAL const study_complex* psi = study_spinor_at(a.shape, f.psi, f.below, f.above, n);
    study_complex t[QCD_STUDY_ELEMENTS];
    for (int c = 0; c < 3; ++c) {
        if (switches & QCD_STUDY_SPARSE) {
            t[4 * c] = study_xgemm34x44_element(switches, d, psi, f.spin, c, 0);
            t[4 * c + 1] = study_xgemm34x44_element(switches, d, psi, f.spin, c, 1);
            t[4 * c + 2] = study_xgemm34x44_element(switches, d, psi, f.spin, c, 2);
            t[4 * c + 3] = study_xgemm34x44_element(switches, d, psi, f.spin, c, 3);
        } else {
            for (int s = 0; s < 4; ++s)
                t[4 * c + s] = study_xgemm34x44_element(switches, d, psi, f.spin, c, s);
        }
    }
    for (int c = 0; c < 3; ++c)
        for (int k = 0; k < 3; ++k) {
            const study_complex u =
                f.links[study_link_place(switches, a.shape.sites, site, d, c, k)];
            for (int s = 0; s < 4; ++s)
                sum[4 * c + s] = study_mul_add(u, t[4 * k + s], sum[4 * c + s]);
        }
}

QCD_FN void study_stencil_site(const int switches, study_stencil_args a, study_stencil_buffers f,
                               int site)
{
    study_complex sum[QCD_STUDY_ELEMENTS];
    for (int e = 0; e < QCD_STUDY_ELEMENTS; ++e) sum[e] = study_make(0, 0);
    study_stencil_term(switches, a, f, site, 0, sum);
    study_stencil_term(switches, a, f, site, 1, sum);
    study_stencil_term(switches, a, f, site, 2, sum);
    study_stencil_term(switches, a, f, site, 3, sum);
    study_stencil_term(switches, a, f, site, 4, sum);
    study_stencil_term(switches, a, f, site, 5, sum);
    study_stencil_term(switches, a, f, site, 6, sum);
    study_stencil_term(switches, a, f, site, 7, sum);
    for (int e = 0; e < QCD_STUDY_ELEMENTS; ++e) {
        const int at = QCD_STUDY_ELEMENTS * site + e;
        f.out[at] = study_add(study_chiral_mul(a.a, f.psi[at], e % 4),
                              study_chiral_mul(a.b, sum[e], e % 4));
    }
}

QCD_END
