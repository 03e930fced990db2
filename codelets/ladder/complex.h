#pragma once
// Complex numbers as the ladder has them: re and im side by side.

#include "codelets/device/args.h"
#include "codelets/ladder/shape.h"

#ifdef QCD_PRECISION // in kernels

QCD_BEGIN

typedef struct {
    real re, im;
} ladder_complex;

/// One rounding where the processor has such an instruction: bits depend on the kind of worker.
QCD_FN real ladder_fma(real a, real b, real c)
{
#if defined(__OPENCL_VERSION__) || defined(__CUDACC__)
    return fma(a, b, c);
#elif defined(__FMA__)
    return sizeof(real) == 8 ? real(__builtin_fma(a, b, c))
                             : real(__builtin_fmaf(float(a), float(b), float(c)));
#else
    return a * b + c;
#endif
}

QCD_FN ladder_complex ladder_make(real re, real im)
{
    ladder_complex z;
    z.re = re;
    z.im = im;
    return z;
}
QCD_FN ladder_complex ladder_add(ladder_complex a, ladder_complex b)
{
    return ladder_make(a.re + b.re, a.im + b.im);
}
QCD_FN ladder_complex ladder_sub(ladder_complex a, ladder_complex b)
{
    return ladder_make(a.re - b.re, a.im - b.im);
}
/// c + a b
QCD_FN ladder_complex ladder_mul_add(ladder_complex a, ladder_complex b, ladder_complex c)
{
    return ladder_make(ladder_fma(-a.im, b.im, ladder_fma(a.re, b.re, c.re)),
                       ladder_fma(a.im, b.re, ladder_fma(a.re, b.im, c.im)));
}

/// a o z, for spin s
QCD_FN ladder_complex ladder_chiral_mul(chiral a, ladder_complex z, int s)
{
    const ladder_complex of_spin = s < 2 ? ladder_make((real)a.up_re, (real)a.up_im)
                                         : ladder_make((real)a.down_re, (real)a.down_im);
    return ladder_mul_add(of_spin, z, ladder_make(0, 0));
}

/// The spinor of site or neighbour n (shape.h).
QCD_FN QCD_GLOBAL const ladder_complex* ladder_spinor_at(ladder_shape g,
                                                         QCD_GLOBAL const ladder_complex* psi,
                                                         QCD_GLOBAL const ladder_complex* below,
                                                         QCD_GLOBAL const ladder_complex* above,
                                                         int n)
{
    if (n < g.sites) return psi + QCD_LADDER_ELEMENTS * n;
    n -= g.sites;
    return n < g.slice ? below + QCD_LADDER_ELEMENTS * n
                       : above + QCD_LADDER_ELEMENTS * (n - g.slice);
}

QCD_END

#endif
