#pragma once
// Functions that mathematical libraries round differently, made of operations that are rounded alike
// everywhere. tests/codelets/test_random_links.cpp states and tests their errors.

#include "codelets/device/uints.h"

#if QCD_MATH_BITS == 64

QCD_BEGIN

/// ln x of a normal number; relative error below 4e-16. x = 2^e m with sqrt(1/2) <= m < sqrt(2), and
/// ln m = 2 artanh s, s = (m-1)/(m+1), a series in s^2 < 0.0295.
QCD_FN vreal vlog(vreal x)
{
    const u64 bits_of_root_half = 0x3fe6a09e667f3bcdUL, bits_of_1 = 0x3ff0000000000000UL;
    const vword bits = vword_of_real(x),
                exponent = (bits + vword_set(bits_of_1 - bits_of_root_half)) >> 52; // e + 1023
    const vreal m = vreal_of_word(bits + vword_set(bits_of_1) - (exponent << 52));
    const vreal e = vreal_of_word(exponent | vword_set(0x4330000000000000UL)) - // 2^52
                    vset(4503599627370496.0 + 1023.0);
    const vreal f = m - vset(1), s = f / (m + vset(1)), z = s * s;
    vreal sum = vset(2.0 / 21);
    sum = vfma(sum, z, vset(2.0 / 19));
    sum = vfma(sum, z, vset(2.0 / 17));
    sum = vfma(sum, z, vset(2.0 / 15));
    sum = vfma(sum, z, vset(2.0 / 13));
    sum = vfma(sum, z, vset(2.0 / 11));
    sum = vfma(sum, z, vset(2.0 / 9));
    sum = vfma(sum, z, vset(2.0 / 7));
    sum = vfma(sum, z, vset(2.0 / 5));
    sum = vfma(sum, z, vset(2.0 / 3));
    const vreal ln2 = vset(0.69314718055994530942), rest_of_ln2 = vset(2.3190468138462996e-17);
    const vreal small = vfma(e, rest_of_ln2, (sum * z) * s);
    return vfma(e, ln2, s + s + small);
}

typedef struct {
    vreal cos, sin;
} direction_of_angle;

/// cos and sin of 2 pi x, 0 <= x <= 1; absolute error below 3e-16. x = q/4 + r with |r| <= 1/8.
QCD_FN direction_of_angle vdirection(vreal x)
{
    const vreal to_integer = vset(6755399441055744.0); // 1.5 2^52
    const vreal q = (vset(4) * x + to_integer) - to_integer, r = vfma(q, vset(-0.25), x);
    const vreal t = r * vset(6.28318530717958647693), z = t * t;
    vreal s = vset(1.0 / 355687428096000.0); // 1/17!
    s = vfma(s, z, vset(-1.0 / 1307674368000.0));
    s = vfma(s, z, vset(1.0 / 6227020800.0));
    s = vfma(s, z, vset(-1.0 / 39916800.0));
    s = vfma(s, z, vset(1.0 / 362880.0));
    s = vfma(s, z, vset(-1.0 / 5040.0));
    s = vfma(s, z, vset(1.0 / 120.0));
    s = vfma(s, z, vset(-1.0 / 6.0));
    const vreal sine = vfma(s * z, t, t);
    vreal c = vset(1.0 / 20922789888000.0); // 1/16!
    c = vfma(c, z, vset(-1.0 / 87178291200.0));
    c = vfma(c, z, vset(1.0 / 479001600.0));
    c = vfma(c, z, vset(-1.0 / 3628800.0));
    c = vfma(c, z, vset(1.0 / 40320.0));
    c = vfma(c, z, vset(-1.0 / 720.0));
    c = vfma(c, z, vset(1.0 / 24.0));
    c = vfma(c, z, vset(-0.5));
    const vreal cosine = vfma(c, z, vset(1));
    const vmask first = vequal(q, vset(1)), second = vequal(q, vset(2)), third = vequal(q, vset(3));
    direction_of_angle d; // of q = 0 and 4, then of the other quarters
    d.cos = vchoose(first, -sine, vchoose(second, -cosine, vchoose(third, sine, cosine)));
    d.sin = vchoose(first, cosine, vchoose(second, -sine, vchoose(third, -cosine, sine)));
    return d;
}

QCD_END

#endif
