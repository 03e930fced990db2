#pragma once
// Products of 3x3 matrices, one per lane: what staples are made of.

#include "codelets/device/su3.h"

QCD_BEGIN

QCD_FN su3 su3_zero()
{
    su3 a;
    a.r0 = a.r1 = a.r2 = colour_zero();
    return a;
}
QCD_FN su3 load_matrix(QCD_GLOBAL const real* p)
{
    su3 a;
    a.r0 = load_colour(p);
    a.r1 = load_colour(p + 6 * QCD_ROW);
    a.r2 = load_colour(p + 12 * QCD_ROW);
    return a;
}
QCD_FN void store_matrix(QCD_GLOBAL real* p, su3 a)
{
    store_colour(p, a.r0);
    store_colour(p + 6 * QCD_ROW, a.r1);
    store_colour(p + 12 * QCD_ROW, a.r2);
}

/// A row of A times B.
QCD_FN colour row_times_su3(colour a, su3 b)
{
    return colour_fma(a.c2, b.r2, colour_fma(a.c1, b.r1, colour_cmul(a.c0, b.r0)));
}
/// A B
QCD_FN su3 su3_product(su3 a, su3 b)
{
    su3 c;
    c.r0 = row_times_su3(a.r0, b);
    c.r1 = row_times_su3(a.r1, b);
    c.r2 = row_times_su3(a.r2, b);
    return c;
}
/// c + a conj(b)
QCD_FN cplx cfma_by_conj(cplx a, cplx b, cplx c) { return cfma_conj(b, a, c); }
QCD_FN colour add_row_times_dagger(colour a, su3 b, colour c)
{
    c.c0 =
        cfma_by_conj(a.c2, b.r0.c2, cfma_by_conj(a.c1, b.r0.c1, cfma_by_conj(a.c0, b.r0.c0, c.c0)));
    c.c1 =
        cfma_by_conj(a.c2, b.r1.c2, cfma_by_conj(a.c1, b.r1.c1, cfma_by_conj(a.c0, b.r1.c0, c.c1)));
    c.c2 =
        cfma_by_conj(a.c2, b.r2.c2, cfma_by_conj(a.c1, b.r2.c1, cfma_by_conj(a.c0, b.r2.c0, c.c2)));
    return c;
}
/// C + A B^dagger
QCD_FN su3 su3_add_times_dagger(su3 a, su3 b, su3 c)
{
    c.r0 = add_row_times_dagger(a.r0, b, c.r0);
    c.r1 = add_row_times_dagger(a.r1, b, c.r1);
    c.r2 = add_row_times_dagger(a.r2, b, c.r2);
    return c;
}
QCD_FN colour colour_fma_conj(cplx s, colour a, colour c) // c + conj(s) a
{
    return colour_make(cfma_conj(s, a.c0, c.c0), cfma_conj(s, a.c1, c.c1),
                       cfma_conj(s, a.c2, c.c2));
}
/// C + A^dagger B
QCD_FN su3 su3_add_dagger_times(su3 a, su3 b, su3 c)
{
    c.r0 = colour_fma_conj(a.r2.c0, b.r2,
                           colour_fma_conj(a.r1.c0, b.r1, colour_fma_conj(a.r0.c0, b.r0, c.r0)));
    c.r1 = colour_fma_conj(a.r2.c1, b.r2,
                           colour_fma_conj(a.r1.c1, b.r1, colour_fma_conj(a.r0.c1, b.r0, c.r1)));
    c.r2 = colour_fma_conj(a.r2.c2, b.r2,
                           colour_fma_conj(a.r1.c2, b.r1, colour_fma_conj(a.r0.c2, b.r0, c.r2)));
    return c;
}

QCD_END
