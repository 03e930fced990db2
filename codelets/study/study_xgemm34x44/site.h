#pragma once
// One element of a site (contract: study_xgemm34x44.hpp).

#include "codelets/study/spin.h"
#include "codelets/study/study_xgemm34x44/args.h"

QCD_BEGIN

typedef struct {
    QCD_GLOBAL study_complex* out;
    QCD_GLOBAL const study_complex* psi;
    QCD_GLOBAL const study_complex* below;
    QCD_GLOBAL const study_complex* above;
} study_xgemm34x44_buffers;

QCD_FN void study_xgemm34x44_site(study_xgemm34x44_args a, study_xgemm34x44_buffers f, int d,
                                  int site, int c, int s)
{
    QCD_GLOBAL const study_complex* psi =
        study_spinor_at(a.shape, f.psi, f.below, f.above, study_neighbour(a.shape, site, d));
    f.out[QCD_STUDY_ELEMENTS * site + 4 * c + s] =
        study_spin_sparse(d, s, psi[4 * c + s], psi[4 * c + study_partner(d, s)]);
}

QCD_END
