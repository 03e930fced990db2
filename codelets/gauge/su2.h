#pragma once
// SU(2) subgroups of SU(3) (Cabibbo and Marinari 1982), one element per lane.

#include "codelets/device/uints.h"
#include "codelets/gauge/matrix.h"

QCD_BEGIN

/// a0 + i (a1 sigma_1 + a2 sigma_2 + a3 sigma_3)
typedef struct {
    vreal a0, a1, a2, a3;
} quaternion;

QCD_FN quaternion quaternion_make(vreal a0, vreal a1, vreal a2, vreal a3)
{
    quaternion q;
    q.a0 = a0;
    q.a1 = a1;
    q.a2 = a2;
    q.a3 = a3;
    return q;
}
QCD_FN vreal quaternion_norm2(quaternion q)
{
    return vfma(q.a3, q.a3, vfma(q.a2, q.a2, vfma(q.a1, q.a1, q.a0 * q.a0)));
}
QCD_FN quaternion quaternion_scale(vreal s, quaternion q)
{
    return quaternion_make(s * q.a0, s * q.a1, s * q.a2, s * q.a3);
}
QCD_FN quaternion quaternion_choose(vmask which, quaternion a, quaternion b)
{
    return quaternion_make(vchoose(which, a.a0, b.a0), vchoose(which, a.a1, b.a1),
                           vchoose(which, a.a2, b.a2), vchoose(which, a.a3, b.a3));
}
QCD_FN quaternion quaternion_one() { return quaternion_make(vset(1), vset(0), vset(0), vset(0)); }
/// a b^dagger
QCD_FN quaternion quaternion_times_dagger(quaternion a, quaternion b)
{
    return quaternion_make(vfma(a.a3, b.a3, vfma(a.a2, b.a2, vfma(a.a1, b.a1, a.a0 * b.a0))),
                           vfnma(a.a3, b.a2, vfma(a.a2, b.a3, vfnma(a.a0, b.a1, a.a1 * b.a0))),
                           vfnma(a.a1, b.a3, vfma(a.a3, b.a1, vfnma(a.a0, b.a2, a.a2 * b.a0))),
                           vfnma(a.a2, b.a1, vfma(a.a1, b.a2, vfnma(a.a0, b.a3, a.a3 * b.a0))));
}

/// The quaternion q with Re tr(g W) = Re tr(g q) + what g does not change, for every g of the SU(2)
/// that acts on two rows of W, of which these are the elements in the same two columns.
QCD_FN quaternion subgroup_part(cplx ii, cplx ij, cplx ji, cplx jj)
{
    return quaternion_scale(
        vset(0.5), quaternion_make(ii.re + jj.re, ij.im + ji.im, ij.re - ji.re, ii.im - jj.im));
}

/// Two rows after g acts on them.
typedef struct {
    colour i, j;
} two_rows;

QCD_FN two_rows quaternion_times_rows(quaternion g, colour i, colour j)
{
    two_rows r;
    r.i = colour_fma(cmake(g.a2, g.a1), j, colour_cmul(cmake(g.a0, g.a3), i));
    r.j = colour_fma(cmake(g.a0, -g.a3), j, colour_cmul(cmake(-g.a2, g.a1), i));
    return r;
}

QCD_FN quaternion subgroup_part_of(su3 w, int subgroup)
{
    if (subgroup == 0) return subgroup_part(w.r0.c0, w.r0.c1, w.r1.c0, w.r1.c1);
    if (subgroup == 1) return subgroup_part(w.r0.c0, w.r0.c2, w.r2.c0, w.r2.c2);
    return subgroup_part(w.r1.c1, w.r1.c2, w.r2.c1, w.r2.c2);
}
/// g U, g in rows 0 and 1, 0 and 2, or 1 and 2.
QCD_FN su3 subgroup_times(quaternion g, su3 u, int subgroup)
{
    two_rows r;
    if (subgroup == 0) {
        r = quaternion_times_rows(g, u.r0, u.r1);
        u.r0 = r.i;
        u.r1 = r.j;
    } else if (subgroup == 1) {
        r = quaternion_times_rows(g, u.r0, u.r2);
        u.r0 = r.i;
        u.r2 = r.j;
    } else {
        r = quaternion_times_rows(g, u.r1, u.r2);
        u.r1 = r.i;
        u.r2 = r.j;
    }
    return u;
}

/// Below this |q|^2 every element is as probable as any other.
#define QCD_NO_STAPLE 1e-200

/// The element g of the subgroup that turns q to g q = |q| (q/|q|)^dagger, whose trace is that of q.
QCD_FN quaternion reflection(quaternion q)
{
    const vreal norm2 = quaternion_norm2(q);
    const vmask none = vless(norm2, vset(QCD_NO_STAPLE));
    const vreal inverse = vset(1) / vchoose(none, vset(1), norm2), twice = (q.a0 + q.a0) * inverse;
    const vreal a0 = vfma(twice, q.a0, vset(-1)); // (a0^2 - |a|^2)/|q|^2
    return quaternion_choose(
        none, quaternion_one(),
        quaternion_make(a0, -(twice * q.a1), -(twice * q.a2), -(twice * q.a3)));
}

QCD_END
