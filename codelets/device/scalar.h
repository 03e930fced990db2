#pragma once
// Complex doubles, of which the solvers' scalars are made. All in double, in both precisions.

#include "codelets/device/lang.h"
#include "codelets/device/plain_structs.h"

QCD_PLAIN_BEGIN

typedef struct {
    double re, im;
} scalar;

QCD_FN scalar scalar_make(double re, double im)
{
    scalar z;
    z.re = re;
    z.im = im;
    return z;
}
QCD_FN scalar scalar_conj(scalar z) { return scalar_make(z.re, -z.im); }
QCD_FN scalar scalar_sub(scalar a, scalar b) { return scalar_make(a.re - b.re, a.im - b.im); }
QCD_FN scalar scalar_mul(scalar a, scalar b)
{
    return scalar_make(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
QCD_FN scalar scalar_times(scalar z, double d) { return scalar_make(z.re * d, z.im * d); }
QCD_FN scalar scalar_over(scalar z, double d) { return scalar_make(z.re / d, z.im / d); }
QCD_FN double scalar_norm2(scalar z) { return z.re * z.re + z.im * z.im; }
/// Zero only for zero, unlike the square.
QCD_FN double scalar_size(scalar z)
{
    return (z.re < 0 ? -z.re : z.re) + (z.im < 0 ? -z.im : z.im);
}
QCD_FN scalar scalar_div(scalar a, scalar b)
{
    const double power_of_2 = scalar_size(b) < 0x1p-400 ? 0x1p512 : 1.0; // for |b|^2 to be in range
    a = scalar_times(a, power_of_2);
    b = scalar_times(b, power_of_2);
    return scalar_over(scalar_mul(a, scalar_conj(b)), scalar_norm2(b));
}

QCD_PLAIN_END
