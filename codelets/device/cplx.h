#pragma once
// Complex numbers, one per lane. The order of the four fma of a product is part of the definition:
// it fixes the bits on every backend.

#include "codelets/device/lanes.h"
#include "codelets/device/scalar.h"

QCD_BEGIN

typedef struct {
    vreal re, im;
} cplx;

QCD_FN cplx cmake(vreal re, vreal im)
{
    cplx z;
    z.re = re;
    z.im = im;
    return z;
}
QCD_FN cplx csplat(scalar z) { return cmake(vset(z.re), vset(z.im)); }
QCD_FN cplx cneg(cplx a) { return cmake(-a.re, -a.im); }
QCD_FN cplx cadd(cplx a, cplx b) { return cmake(a.re + b.re, a.im + b.im); }
QCD_FN cplx csub(cplx a, cplx b) { return cmake(a.re - b.re, a.im - b.im); }
QCD_FN cplx cadd_i(cplx a, cplx b) { return cmake(a.re - b.im, a.im + b.re); } // a + i b
QCD_FN cplx csub_i(cplx a, cplx b) { return cmake(a.re + b.im, a.im - b.re); } // a - i b
QCD_FN cplx cscale(vreal s, cplx a) { return cmake(s * a.re, s * a.im); }

/// a b
QCD_FN cplx cmul(cplx a, cplx b)
{
    return cmake(vfnma(a.im, b.im, a.re * b.re), vfma(a.im, b.re, a.re * b.im));
}
/// conj(a) b
QCD_FN cplx cmul_conj(cplx a, cplx b)
{
    return cmake(vfma(a.im, b.im, a.re * b.re), vfnma(a.im, b.re, a.re * b.im));
}
/// c + a b
QCD_FN cplx cfma(cplx a, cplx b, cplx c)
{
    return cmake(vfnma(a.im, b.im, vfma(a.re, b.re, c.re)),
                 vfma(a.im, b.re, vfma(a.re, b.im, c.im)));
}
/// c + conj(a) b
QCD_FN cplx cfma_conj(cplx a, cplx b, cplx c)
{
    return cmake(vfma(a.im, b.im, vfma(a.re, b.re, c.re)),
                 vfnma(a.im, b.re, vfma(a.re, b.im, c.im)));
}
/// c + s a, s real
QCD_FN cplx cfma_real(vreal s, cplx a, cplx c)
{
    return cmake(vfma(s, a.re, c.re), vfma(s, a.im, c.im));
}

QCD_FN cplx cload(QCD_GLOBAL const plain* p) { return cmake(vload(p), vload(p + QCD_ROW)); }
QCD_FN cplx cload_once(QCD_GLOBAL const plain* p)
{
    return cmake(vload_once(p), vload_once(p + QCD_ROW));
}
QCD_FN cplx cload_face(QCD_GLOBAL const math* p)
{
    return cmake(vload_face(p), vload_face(p + QCD_ROW));
}
QCD_FN void cstore(QCD_GLOBAL plain* p, cplx z)
{
    vstore(p, z.re);
    vstore(p + QCD_ROW, z.im);
}
QCD_FN void cstream(QCD_GLOBAL plain* p, cplx z)
{
    vstream(p, z.re);
    vstream(p + QCD_ROW, z.im);
}
QCD_FN void cstore_face(QCD_GLOBAL math* p, cplx z)
{
    vstore_face(p, z.re);
    vstore_face(p + QCD_ROW, z.im);
}

QCD_END
