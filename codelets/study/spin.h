#pragma once
// (1 - gamma_mu) of the neighbours ahead, (1 + gamma_mu) of those behind (docs/conventions.md): a
// full matrix, or written out.

#include "codelets/study/complex.h"
#include "codelets/study/switches.h"

QCD_BEGIN

/// Each row of gamma_mu has one element: in this column.
QCD_FN int study_partner(int d, int s) { return d % 4 == 1 || d % 4 == 2 ? 3 - s : s ^ 2; }

/// That element, in row s, times z: 1, -1, i or -i.
QCD_FN study_complex study_gamma(int d, int s, study_complex z)
{
    const int outer = s == 0 || s == 3, mu = d % 4;
    if (mu == 0) return z;
    if (mu == 2) return outer ? study_make(-z.re, -z.im) : z;
    return (mu == 1 ? s < 2 : outer) ? study_make(-z.im, z.re) : study_make(z.im, -z.re);
}

/// Element s of the product, of psi's elements s and study_partner(d, s).
QCD_FN study_complex study_spin_sparse(int d, int s, study_complex own, study_complex partner)
{
    const study_complex z = study_gamma(d, s, partner);
    return d < 4 ? study_sub(own, z) : study_add(own, z);
}

/// One element of xgemm34x44: colour c and spin s of psi (3x4) times a spin matrix (4x4), which is
/// written out or L[d][row][column]. psi: a spinor; L is not looked at where it is written out.
QCD_FN study_complex study_xgemm34x44_element(const int switches, int d,
                                              QCD_GLOBAL const study_complex* psi,
                                              QCD_GLOBAL const study_complex* L, int c, int s)
{
    if (switches & QCD_STUDY_SPARSE)
        return study_spin_sparse(d, s, psi[4 * c + s], psi[4 * c + study_partner(d, s)]);
    study_complex sum = study_make(0, 0);
    for (int k = 0; k < 4; ++k) sum = study_mul_add(psi[4 * c + k], L[16 * d + 4 * k + s], sum);
    return sum;
}

QCD_END
