#pragma once
// Spinors, half spinors and the gamma matrices (DeGrand-Rossi basis, docs/conventions.md):
//   gamma_x = [[0, i s1], [-i s1, 0]]   gamma_y = [[0, -i s2], [i s2, 0]]
//   gamma_z = [[0, i s3], [-i s3, 0]]   gamma_t = [[0, 1], [1, 0]]
//   gamma_5 = diag(1, 1, -1, -1)
// (1 -+ gamma_mu) psi has two independent spin rows: project() makes them, add_reconstructed() adds
// all four.

#include "codelets/device/su3.h"

QCD_BEGIN

typedef struct {
    colour s0, s1, s2, s3;
} spinor;

typedef struct {
    colour h0, h1;
} half_spinor;

QCD_FN spinor spinor_make(colour s0, colour s1, colour s2, colour s3)
{
    spinor s;
    s.s0 = s0;
    s.s1 = s1;
    s.s2 = s2;
    s.s3 = s3;
    return s;
}
QCD_FN half_spinor half_make(colour h0, colour h1)
{
    half_spinor h;
    h.h0 = h0;
    h.h1 = h1;
    return h;
}
QCD_FN spinor spinor_zero()
{
    const colour z = colour_zero();
    return spinor_make(z, z, z, z);
}
QCD_FN spinor spinor_add(spinor a, spinor b)
{
    return spinor_make(colour_add(a.s0, b.s0), colour_add(a.s1, b.s1), colour_add(a.s2, b.s2),
                       colour_add(a.s3, b.s3));
}
/// Where the caller's lanes of a block stand in a spinor field, in one that is stored as plain
/// reals, and in a face.
QCD_FN int spinor_place(int block, lanes w)
{
    return block * (QCD_STORED_SPINOR_ROWS * QCD_LANES) + own_lanes(QCD_STORED_SPINOR_ROWS, w);
}
QCD_FN int plain_spinor_place(int block, lanes w)
{
    return block * (QCD_SPINOR_ROWS * QCD_LANES) + own_lanes(QCD_SPINOR_ROWS, w);
}
QCD_FN int half_place(int block, lanes w)
{
    return block * (QCD_HALF_ROWS * QCD_LANES) + own_lanes(QCD_HALF_ROWS, w);
}
/// s + c a, c complex
QCD_FN spinor spinor_fma(cplx c, spinor a, spinor s)
{
    return spinor_make(colour_fma(c, a.s0, s.s0), colour_fma(c, a.s1, s.s1),
                       colour_fma(c, a.s2, s.s2), colour_fma(c, a.s3, s.s3));
}

QCD_FN spinor load_plain_spinor(QCD_GLOBAL const plain* p)
{
    return spinor_make(load_colour(p), load_colour(p + 6 * QCD_ROW), load_colour(p + 12 * QCD_ROW),
                       load_colour(p + 18 * QCD_ROW));
}
QCD_FN void store_plain_spinor(QCD_GLOBAL plain* p, spinor s)
{
    store_colour(p, s.s0);
    store_colour(p + 6 * QCD_ROW, s.s1);
    store_colour(p + 12 * QCD_ROW, s.s2);
    store_colour(p + 18 * QCD_ROW, s.s3);
}

QCD_END

#if QCD_REAL_BITS == 16
#include "codelets/device/fixed_spinor.h"
#endif

QCD_BEGIN

#if QCD_REAL_BITS != 16

QCD_FN spinor load_spinor(QCD_GLOBAL const real* p) { return load_plain_spinor(p); }
QCD_FN void store_spinor(QCD_GLOBAL real* p, spinor s) { store_plain_spinor(p, s); }
/// Stores like store_spinor, past the caches where the host can: the result is not read soon.
QCD_FN void stream_spinor(QCD_GLOBAL real* p, spinor s)
{
    stream_colour(p, s.s0);
    stream_colour(p + 6 * QCD_ROW, s.s1);
    stream_colour(p + 12 * QCD_ROW, s.s2);
    stream_colour(p + 18 * QCD_ROW, s.s3);
}

#endif

/// Loads like load_spinor and asks for all rows of a piece first, where memory is the limit.
QCD_FN spinor request_spinor(QCD_GLOBAL const real* p, lanes w)
{
    request_piece(p, QCD_STORED_SPINOR_ROWS, w);
    return load_spinor(p);
}
QCD_FN spinor request_plain_spinor(QCD_GLOBAL const plain* p, lanes w)
{
    request_piece(p, QCD_SPINOR_ROWS, w);
    return load_plain_spinor(p);
}
QCD_FN half_spinor load_half(QCD_GLOBAL const math* p)
{
    return half_make(load_colour_face(p), load_colour_face(p + 6 * QCD_ROW));
}
QCD_FN void store_half(QCD_GLOBAL math* p, half_spinor h)
{
    store_colour_face(p, h.h0);
    store_colour_face(p + 6 * QCD_ROW, h.h1);
}

/// Upper two rows of (1 - sign*gamma_mu) s; sign = +1 for the forward hop, -1 for the backward one.
QCD_FN half_spinor project(int mu, int sign, spinor s)
{
    if (mu == 0)
        return sign > 0 ? half_make(colour_sub_i(s.s0, s.s3), colour_sub_i(s.s1, s.s2))
                        : half_make(colour_add_i(s.s0, s.s3), colour_add_i(s.s1, s.s2));
    if (mu == 1)
        return sign > 0 ? half_make(colour_add(s.s0, s.s3), colour_sub(s.s1, s.s2))
                        : half_make(colour_sub(s.s0, s.s3), colour_add(s.s1, s.s2));
    if (mu == 2)
        return sign > 0 ? half_make(colour_sub_i(s.s0, s.s2), colour_add_i(s.s1, s.s3))
                        : half_make(colour_add_i(s.s0, s.s2), colour_sub_i(s.s1, s.s3));
    return sign > 0 ? half_make(colour_sub(s.s0, s.s2), colour_sub(s.s1, s.s3))
                    : half_make(colour_add(s.s0, s.s2), colour_add(s.s1, s.s3));
}

/// sum + the four rows of which h are the upper two.
QCD_FN spinor add_reconstructed(int mu, int sign, spinor sum, half_spinor h)
{
    sum.s0 = colour_add(sum.s0, h.h0);
    sum.s1 = colour_add(sum.s1, h.h1);
    if (mu == 0) {
        sum.s2 = sign > 0 ? colour_add_i(sum.s2, h.h1) : colour_sub_i(sum.s2, h.h1);
        sum.s3 = sign > 0 ? colour_add_i(sum.s3, h.h0) : colour_sub_i(sum.s3, h.h0);
    } else if (mu == 1) {
        sum.s2 = sign > 0 ? colour_sub(sum.s2, h.h1) : colour_add(sum.s2, h.h1);
        sum.s3 = sign > 0 ? colour_add(sum.s3, h.h0) : colour_sub(sum.s3, h.h0);
    } else if (mu == 2) {
        sum.s2 = sign > 0 ? colour_add_i(sum.s2, h.h0) : colour_sub_i(sum.s2, h.h0);
        sum.s3 = sign > 0 ? colour_sub_i(sum.s3, h.h1) : colour_add_i(sum.s3, h.h1);
    } else {
        sum.s2 = sign > 0 ? colour_sub(sum.s2, h.h0) : colour_add(sum.s2, h.h0);
        sum.s3 = sign > 0 ? colour_sub(sum.s3, h.h1) : colour_add(sum.s3, h.h1);
    }
    return sum;
}

QCD_FN vdouble colour_dot_re(vdouble sum, colour a, colour b) // sum + Re (a|b)
{
    sum = vdot(vdot(sum, a.c0.re, b.c0.re), a.c0.im, b.c0.im);
    sum = vdot(vdot(sum, a.c1.re, b.c1.re), a.c1.im, b.c1.im);
    return vdot(vdot(sum, a.c2.re, b.c2.re), a.c2.im, b.c2.im);
}
QCD_FN vdouble colour_dot_im(vdouble sum, colour a, colour b) // sum + Im (a|b)
{
    sum = vndot(vdot(sum, a.c0.re, b.c0.im), a.c0.im, b.c0.re);
    sum = vndot(vdot(sum, a.c1.re, b.c1.im), a.c1.im, b.c1.re);
    return vndot(vdot(sum, a.c2.re, b.c2.im), a.c2.im, b.c2.re);
}
/// Re (a|b) and Im (a|b) at one site, (a|b) = sum conj(a) b, in double.
QCD_FN vdouble spinor_dot_re(spinor a, spinor b)
{
    return colour_dot_re(
        colour_dot_re(colour_dot_re(colour_dot_re(vdset(0), a.s0, b.s0), a.s1, b.s1), a.s2, b.s2),
        a.s3, b.s3);
}
QCD_FN vdouble spinor_dot_im(spinor a, spinor b)
{
    return colour_dot_im(
        colour_dot_im(colour_dot_im(colour_dot_im(vdset(0), a.s0, b.s0), a.s1, b.s1), a.s2, b.s2),
        a.s3, b.s3);
}
QCD_FN vdouble spinor_norm2(spinor a) { return spinor_dot_re(a, a); }

QCD_END
