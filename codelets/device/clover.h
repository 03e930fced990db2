#pragma once
// Matrices of the clover term as they are stored (in plain reals), and their products with spinors.
// One leaves each chirality (spins 0, 1 and 2, 3) for itself, and is Hermitian there,
//     [[P, R^dagger], [R, S]]   in its two spins, P, S and R 3x3 in colour,
// in 36 reals: of P and of S the diagonal and the elements 10, 20, 21; then R, row by row.

#include "codelets/device/link.h"

QCD_BEGIN

/// Where the caller's lanes of a block stand.
QCD_FN int clover_place(int block, lanes w)
{
    return block * (QCD_CLOVER_ROWS * QCD_LANES) + own_lanes(QCD_CLOVER_ROWS, w);
}

/// P v
QCD_FN colour hermitian_mul(QCD_GLOBAL const plain* p, colour v)
{
    const cplx e10 = cload_once(p + 3 * QCD_ROW), e20 = cload_once(p + 5 * QCD_ROW),
               e21 = cload_once(p + 7 * QCD_ROW);
    return colour_make(cfma_conj(e20, v.c2, cfma_conj(e10, v.c1, cscale(vload_once(p), v.c0))),
                       cfma_conj(e21, v.c2, cfma(e10, v.c0, cscale(vload_once(p + QCD_ROW), v.c1))),
                       cfma(e21, v.c1, cfma(e20, v.c0, cscale(vload_once(p + 2 * QCD_ROW), v.c2))));
}
/// sum + row v
QCD_FN cplx row_fma(colour row, colour v, cplx sum)
{
    return cfma(row.c2, v.c2, cfma(row.c1, v.c1, cfma(row.c0, v.c0, sum)));
}
/// sum + row^dagger z
QCD_FN colour conj_row_fma(colour row, cplx z, colour sum)
{
    return colour_make(cfma_conj(row.c0, z, sum.c0), cfma_conj(row.c1, z, sum.c1),
                       cfma_conj(row.c2, z, sum.c2));
}

/// Multiplies by the matrix of one chirality, whose 36 reals are at p.
QCD_FN half_spinor clover_mul_half(QCD_GLOBAL const plain* p, half_spinor v)
{
    half_spinor out = half_make(hermitian_mul(p, v.h0), hermitian_mul(p + 9 * QCD_ROW, v.h1));
    colour row = load_colour_once(p + 18 * QCD_ROW);
    out.h1.c0 = row_fma(row, v.h0, out.h1.c0);
    out.h0 = conj_row_fma(row, v.h1.c0, out.h0);
    row = load_colour_once(p + 24 * QCD_ROW);
    out.h1.c1 = row_fma(row, v.h0, out.h1.c1);
    out.h0 = conj_row_fma(row, v.h1.c1, out.h0);
    row = load_colour_once(p + 30 * QCD_ROW);
    out.h1.c2 = row_fma(row, v.h0, out.h1.c2);
    out.h0 = conj_row_fma(row, v.h1.c2, out.h0);
    return out;
}
QCD_TERM spinor clover_mul(QCD_GLOBAL const plain* p, spinor s)
{
    const half_spinor up = clover_mul_half(p, half_make(s.s0, s.s1));
    const half_spinor down =
        clover_mul_half(p + QCD_CLOVER_ROWS / 2 * QCD_ROW, half_make(s.s2, s.s3));
    return spinor_make(up.h0, up.h1, down.h0, down.h1);
}

/// (M + i twist gamma5) s, M the matrix at p.
QCD_FN spinor twisted_clover_mul(QCD_GLOBAL const plain* p, double twist, spinor s)
{
    const spinor product = clover_mul(p, s);
    if (twist == 0.0) return product;
    const cplx up = cmake(vset(0), vset(twist)), down = cmake(vset(0), vset(-twist));
    return spinor_make(colour_fma(up, s.s0, product.s0), colour_fma(up, s.s1, product.s1),
                       colour_fma(down, s.s2, product.s2), colour_fma(down, s.s3, product.s3));
}

QCD_END
