#pragma once
// Colour vectors and 3x3 links, one per lane.

#include "codelets/device/cplx.h"

QCD_BEGIN

typedef struct {
    cplx c0, c1, c2;
} colour;

typedef struct {
    colour r0, r1, r2; // rows
} su3;

QCD_FN colour colour_make(cplx a, cplx b, cplx c)
{
    colour v;
    v.c0 = a;
    v.c1 = b;
    v.c2 = c;
    return v;
}
QCD_FN colour colour_zero()
{
    const cplx z = cmake(vset(0), vset(0));
    return colour_make(z, z, z);
}
QCD_FN colour colour_add(colour a, colour b)
{
    return colour_make(cadd(a.c0, b.c0), cadd(a.c1, b.c1), cadd(a.c2, b.c2));
}
QCD_FN colour colour_sub(colour a, colour b)
{
    return colour_make(csub(a.c0, b.c0), csub(a.c1, b.c1), csub(a.c2, b.c2));
}
QCD_FN colour colour_add_i(colour a, colour b) // a + i b
{
    return colour_make(cadd_i(a.c0, b.c0), cadd_i(a.c1, b.c1), cadd_i(a.c2, b.c2));
}
QCD_FN colour colour_sub_i(colour a, colour b) // a - i b
{
    return colour_make(csub_i(a.c0, b.c0), csub_i(a.c1, b.c1), csub_i(a.c2, b.c2));
}
QCD_FN colour colour_scale(vreal s, colour a)
{
    return colour_make(cscale(s, a.c0), cscale(s, a.c1), cscale(s, a.c2));
}
QCD_FN colour colour_cmul(cplx s, colour a)
{
    return colour_make(cmul(s, a.c0), cmul(s, a.c1), cmul(s, a.c2));
}
QCD_FN colour colour_fma_real(vreal s, colour a, colour c) // c + s a
{
    return colour_make(cfma_real(s, a.c0, c.c0), cfma_real(s, a.c1, c.c1),
                       cfma_real(s, a.c2, c.c2));
}
QCD_FN colour colour_fma(cplx s, colour a, colour c) // c + s a
{
    return colour_make(cfma(s, a.c0, c.c0), cfma(s, a.c1, c.c1), cfma(s, a.c2, c.c2));
}

QCD_FN cplx row_times(colour r, colour v)
{
    return cfma(r.c2, v.c2, cfma(r.c1, v.c1, cmul(r.c0, v.c0)));
}
/// U v
QCD_FN colour su3_mul(su3 u, colour v)
{
    return colour_make(row_times(u.r0, v), row_times(u.r1, v), row_times(u.r2, v));
}
QCD_FN cplx conj_column_times(colour u, colour v)
{
    return cfma_conj(u.c2, v.c2, cfma_conj(u.c1, v.c1, cmul_conj(u.c0, v.c0)));
}
/// U^dagger v
QCD_FN colour su3_dagger_mul(su3 u, colour v)
{
    return colour_make(conj_column_times(colour_make(u.r0.c0, u.r1.c0, u.r2.c0), v),
                       conj_column_times(colour_make(u.r0.c1, u.r1.c1, u.r2.c1), v),
                       conj_column_times(colour_make(u.r0.c2, u.r1.c2, u.r2.c2), v));
}

QCD_FN colour load_colour(QCD_GLOBAL const plain* p)
{
    return colour_make(cload(p), cload(p + 2 * QCD_ROW), cload(p + 4 * QCD_ROW));
}
QCD_FN colour load_colour_once(QCD_GLOBAL const plain* p)
{
    return colour_make(cload_once(p), cload_once(p + 2 * QCD_ROW), cload_once(p + 4 * QCD_ROW));
}
QCD_FN colour load_colour_face(QCD_GLOBAL const math* p)
{
    return colour_make(cload_face(p), cload_face(p + 2 * QCD_ROW), cload_face(p + 4 * QCD_ROW));
}
QCD_FN void store_colour(QCD_GLOBAL plain* p, colour v)
{
    cstore(p, v.c0);
    cstore(p + 2 * QCD_ROW, v.c1);
    cstore(p + 4 * QCD_ROW, v.c2);
}
QCD_FN void stream_colour(QCD_GLOBAL plain* p, colour v)
{
    cstream(p, v.c0);
    cstream(p + 2 * QCD_ROW, v.c1);
    cstream(p + 4 * QCD_ROW, v.c2);
}
QCD_FN void store_colour_face(QCD_GLOBAL math* p, colour v)
{
    cstore_face(p, v.c0);
    cstore_face(p + 2 * QCD_ROW, v.c1);
    cstore_face(p + 4 * QCD_ROW, v.c2);
}

QCD_END
