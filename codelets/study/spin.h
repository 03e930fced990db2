#pragma once
// (1 - gamma_mu) of the neighbours ahead, (1 + gamma_mu) of those behind: a full matrix, or written
// out.

#include "codelets/study/complex.h"
#include "codelets/study/gamma.h"
#include "codelets/study/switches.h"

QCD_BEGIN

/// z times that element of gamma_mu.
QCD_FN study_complex study_gamma(int d, int s, study_complex z)
{
    switch (study_power(d, s)) {
    case 0:
        return z;
    case 1:
        return study_make(-z.im, z.re);
    case 2:
        return study_make(-z.re, -z.im);
    default:
        return study_make(z.im, -z.re);
    }
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
