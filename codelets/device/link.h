#pragma once
// Links as they are stored, in QCD_LINK_ROWS reals, and their products with half spinors.
//   18  all elements; the phase of the boundary in t is multiplied in.
// Fewer reals mean less to read and more to compute. Only links in SU(3) can be stored so, hence
// without the phase: hops apply it (negate_at_edge).
//   12  rows 0 and 1. Row 2 is conj(row 0 x row 1).
//    8  y0, y1, w, z1, z2 (w, z1, z2 complex): row 0 is a point of the sphere |a0|^2+|a1|^2+|a2|^2
//       = 1 in stereographic projection from a0 = -1, with z_j = a_j/(1+a0),
//       y0 = Im a0/(1+Re a0), which makes 1+a0 = 2 (1+i y0) / ((1+y0^2)(1+|z|^2)).
//       The unitary map that takes (1,0,0) to a, the Householder reflection in (1,0,0)+a, takes
//       (0,c1,c2) to row 1 = (0,c1,c2) - (c1 conj z1 + c2 conj z2)(1+a0, a1, a2); (c1,c2) is a
//       point of the sphere |c1|^2+|c2|^2 = 1, projected alike: w = c2/(1+c1),
//       y1 = Im c1/(1+Re c1). Row 2 as above.
//       One division, which IEEE rounds the same everywhere, no root and no angle; regular but at
//       a0 = -1 and c1 = -1, where finite numbers come as near as rounding
//       (lattice/link_storage.hpp), so no link is excluded. The parametrisation usual in the
//       field (Bunk and Sommer 1986) is singular at the unit link and needs sines and roots.

#include "codelets/device/spinor.h"

QCD_BEGIN

/// Where the caller's lanes of a block stand in one direction of the links.
QCD_FN int link_place(int blocks, int mu, int block, lanes w)
{
    return (mu * blocks + block) * (QCD_STORED_LINK_ROWS * QCD_LANES) +
           own_lanes(QCD_STORED_LINK_ROWS, w);
}

// near (a constant): in a GPU's shared memory, where several right-hand sides read them.
#if QCD_REAL_BITS != 16
QCD_FN vreal vload_link(QCD_GLOBAL const real* p, int near)
{
    return near ? vload(p) : vload_once(p);
}
/// An element of a link, or two of the reals that stand for one.
QCD_FN cplx cload_link(QCD_GLOBAL const real* p, int near)
{
    return near ? cload(p) : cload_once(p);
}
#endif

/// Distance from one element to the next.
enum { link_step = QCD_COMPLEX_ROWS * QCD_ROW };

QCD_FN colour load_link_row(QCD_GLOBAL const real* p, int near)
{
    return colour_make(cload_link(p, near), cload_link(p + link_step, near),
                       cload_link(p + 2 * link_step, near));
}

#if QCD_LINK_ROWS == 18

/// The column of a link whose uppermost element is at p.
QCD_FN colour load_link_column(QCD_GLOBAL const real* p, int near)
{
    return colour_make(cload_link(p, near), cload_link(p + 3 * link_step, near),
                       cload_link(p + 6 * link_step, near));
}
QCD_FN su3 load_su3(QCD_GLOBAL const real* p, int near)
{
    su3 u;
    u.r0 = load_link_row(p, near);
    u.r1 = load_link_row(p + 3 * link_step, near);
    u.r2 = load_link_row(p + 6 * link_step, near);
    return u;
}

/// U h for the link at p, a row of it at a time: the whole link would take the registers of h.
QCD_FN half_spinor link_mul_half(QCD_GLOBAL const real* p, int near, half_spinor h)
{
    half_spinor out;
    colour row = load_link_row(p, near);
    out.h0.c0 = row_times(row, h.h0);
    out.h1.c0 = row_times(row, h.h1);
    row = load_link_row(p + 3 * link_step, near);
    out.h0.c1 = row_times(row, h.h0);
    out.h1.c1 = row_times(row, h.h1);
    row = load_link_row(p + 6 * link_step, near);
    out.h0.c2 = row_times(row, h.h0);
    out.h1.c2 = row_times(row, h.h1);
    return out;
}
/// U^dagger h, a column of U at a time.
QCD_FN half_spinor link_dagger_mul_half(QCD_GLOBAL const real* p, int near, half_spinor h)
{
    half_spinor out;
    colour column = load_link_column(p, near);
    out.h0.c0 = conj_column_times(column, h.h0);
    out.h1.c0 = conj_column_times(column, h.h1);
    column = load_link_column(p + link_step, near);
    out.h0.c1 = conj_column_times(column, h.h0);
    out.h1.c1 = conj_column_times(column, h.h1);
    column = load_link_column(p + 2 * link_step, near);
    out.h0.c2 = conj_column_times(column, h.h0);
    out.h1.c2 = conj_column_times(column, h.h1);
    return out;
}

#else

/// conj(a d - b c). The host's complete_third_row() (lattice/link.hpp) rounds alike: where it made
/// the last row, links of 12 and of 18 reals in double give the same bits.
QCD_FN cplx conj_minor(cplx a, cplx b, cplx c, cplx d)
{
    return cmake(vfma(b.im, c.im, vfnma(b.re, c.re, vfnma(a.im, d.im, a.re * d.re))),
                 vfnma(a.im, d.re, vfnma(a.re, d.im, vfma(b.im, c.re, b.re * c.im))));
}

#if QCD_LINK_ROWS == 12

QCD_FN su3 load_su3(QCD_GLOBAL const real* p, int near)
{
    su3 u;
    u.r0 = load_link_row(p, near);
    u.r1 = load_link_row(p + 3 * link_step, near);

#else

/// 2 (1+i y) scale
QCD_FN cplx sphere_pole(vreal y, vreal scale)
{
    const vreal re = scale + scale;
    return cmake(re, re * y);
}

QCD_FN su3 load_su3(QCD_GLOBAL const real* p, int near)
{
    const vreal one = vset(1), y0 = vload_link(p, near), y1 = vload_link(p + QCD_ROW, near);
    const cplx w = cload_link(p + 2 * QCD_ROW, near);
    const cplx z1 = cload_link(p + 4 * QCD_ROW, near), z2 = cload_link(p + 6 * QCD_ROW, near);
    const vreal zz =
        vfma(z2.im, z2.im, vfma(z2.re, z2.re, vfma(z1.im, z1.im, vfma(z1.re, z1.re, one))));
    const vreal row0 = vfma(y0, y0, one) * zz;
    const vreal row1 = vfma(y1, y1, one) * vfma(w.im, w.im, vfma(w.re, w.re, one));
    const vreal inverse = vinverse(row0 * row1);
    const cplx g = sphere_pole(y0, row1 * inverse), h = sphere_pole(y1, row0 * inverse);
    const cplx c1 = cmake(h.re - one, h.im), c2 = cmul(h, w);
    const cplx k = cneg(cfma_conj(z2, c2, cmul_conj(z1, c1)));
    su3 u;
    u.r0 = colour_make(cmake(g.re - one, g.im), cmul(g, z1), cmul(g, z2));
    u.r1 = colour_make(cmul(k, g), cfma(k, u.r0.c1, c1), cfma(k, u.r0.c2, c2));

#endif
    u.r2 = colour_make(conj_minor(u.r0.c1, u.r0.c2, u.r1.c1, u.r1.c2),
                       conj_minor(u.r0.c2, u.r0.c0, u.r1.c2, u.r1.c0),
                       conj_minor(u.r0.c0, u.r0.c1, u.r1.c0, u.r1.c1));
    return u;
}

/// U h for the link at p.
QCD_FN half_spinor link_mul_half(QCD_GLOBAL const real* p, int near, half_spinor h)
{
    const su3 u = load_su3(p, near);
    return half_make(su3_mul(u, h.h0), su3_mul(u, h.h1));
}
/// U^dagger h.
QCD_FN half_spinor link_dagger_mul_half(QCD_GLOBAL const real* p, int near, half_spinor h)
{
    const su3 u = load_su3(p, near);
    return half_make(su3_dagger_mul(u, h.h0), su3_dagger_mul(u, h.h1));
}

#endif

/// h with its sign changed in the lanes whose step in t leaves the tile.
QCD_FN half_spinor negate_at_edge(half_spinor h, tile_shape g, int sign, lanes w)
{
    const vreal s = edge_sign(g, 3, sign, w);
    return half_make(colour_scale(s, h.h0), colour_scale(s, h.h1));
}

QCD_END
