#pragma once
// Complex numbers as the study has them: re and im side by side.

#include "codelets/device/args.h"
#include "codelets/study/shape.h"

QCD_BEGIN

typedef struct {
    real re, im;
} study_complex;

/// One rounding where the processor has such an instruction: bits depend on the kind of worker.
QCD_FN real study_fma(real a, real b, real c)
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

QCD_FN study_complex study_make(real re, real im)
{
    study_complex z;
    z.re = re;
    z.im = im;
    return z;
}
QCD_FN study_complex study_add(study_complex a, study_complex b)
{
    return study_make(a.re + b.re, a.im + b.im);
}
QCD_FN study_complex study_sub(study_complex a, study_complex b)
{
    return study_make(a.re - b.re, a.im - b.im);
}
/// c + a b
QCD_FN study_complex study_mul_add(study_complex a, study_complex b, study_complex c)
{
    return study_make(study_fma(-a.im, b.im, study_fma(a.re, b.re, c.re)),
                      study_fma(a.im, b.re, study_fma(a.re, b.im, c.im)));
}

/// a o z, for spin s
QCD_FN study_complex study_chiral_mul(chiral a, study_complex z, int s)
{
    const study_complex of_spin = s < 2 ? study_make((real)a.up_re, (real)a.up_im)
                                        : study_make((real)a.down_re, (real)a.down_im);
    return study_mul_add(of_spin, z, study_make(0, 0));
}

/// The spinor of site or neighbour n (shape.h).
QCD_FN QCD_GLOBAL const study_complex* study_spinor_at(study_shape g,
                                                       QCD_GLOBAL const study_complex* psi,
                                                       QCD_GLOBAL const study_complex* below,
                                                       QCD_GLOBAL const study_complex* above, int n)
{
    if (n < g.sites) return psi + QCD_STUDY_ELEMENTS * n;
    n -= g.sites;
    return n < g.slice ? below + QCD_STUDY_ELEMENTS * n
                       : above + QCD_STUDY_ELEMENTS * (n - g.slice);
}

QCD_END
