#pragma once
// One element of a site (contract: study_xgemm33x34.hpp).

#include "codelets/study/links.h"
#include "codelets/study/study_xgemm33x34/args.h"

QCD_BEGIN

typedef struct {
    QCD_GLOBAL study_complex* out;
    QCD_GLOBAL const study_complex* t;
    QCD_GLOBAL const study_complex* links;
    QCD_GLOBAL const study_complex* psi;
} study_xgemm33x34_buffers;

QCD_FN void study_xgemm33x34_site(study_xgemm33x34_args a, study_xgemm33x34_buffers f, int d,
                                  int site, int c, int s)
{
    const int spinor = QCD_STUDY_ELEMENTS * site, e = 4 * c + s;
    study_complex sum = study_make(0, 0);
    for (int k = 0; k < 3; ++k)
        sum = study_mul_add(f.links[study_link_place(a.switches, a.shape.sites, site, d, c, k)],
                            f.t[spinor + 4 * k + s], sum);
    const study_complex before =
        f.psi ? study_chiral_mul(a.a, f.psi[spinor + e], s) : f.out[spinor + e];
    f.out[spinor + e] = study_add(before, study_chiral_mul(a.b, sum, s));
}

QCD_END
