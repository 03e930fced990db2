#pragma once
// (1 - gamma_mu) of the neighbours ahead, (1 + gamma_mu) of those behind: a full matrix, or written
// out.

#include "codelets/ladder/complex.h"
#include "codelets/ladder/gamma.h"
#include "codelets/ladder/switches.h"

QCD_BEGIN

/// z times that element of gamma_mu.
QCD_FN ladder_complex ladder_gamma(int d, int s, ladder_complex z)
{
    switch (ladder_power(d, s)) {
    case 0:
        return z;
    case 1:
        return ladder_make(-z.im, z.re);
    case 2:
        return ladder_make(-z.re, -z.im);
    default:
        return ladder_make(z.im, -z.re);
    }
}

/// Element s of the product, of psi's elements s and ladder_partner(d, s).
QCD_FN ladder_complex ladder_spin_sparse(int d, int s, ladder_complex own, ladder_complex partner)
{
    const ladder_complex z = ladder_gamma(d, s, partner);
    return d < 4 ? ladder_sub(own, z) : ladder_add(own, z);
}

/// One element of xgemm34x44: colour c and spin s of psi (3x4) times a spin matrix (4x4), which is
/// written out or L[d][row][column]. psi: a spinor; L is not looked at where it is written out.
QCD_FN ladder_complex ladder_xgemm34x44_element(const int switches, int d,
                                                QCD_GLOBAL const ladder_complex* psi,
                                                QCD_GLOBAL const ladder_complex* L, int c, int s)
{
    if (switches & QCD_LADDER_SPARSE)
        return ladder_spin_sparse(d, s, psi[4 * c + s], psi[4 * c + ladder_partner(d, s)]);
    ladder_complex sum = ladder_make(0, 0);
    for (int k = 0; k < 4; ++k) sum = ladder_mul_add(psi[4 * c + k], L[16 * d + 4 * k + s], sum);
    return sum;
}

QCD_END
