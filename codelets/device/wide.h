#pragma once
// Fields in double in operations on fields of both precisions, which are compiled as f32_in_f64
// (lang.h): `real` is single there, and `math` what a field in double holds. Blocks and lanes are
// the same in both; a piece of a row has half as many lanes.

#include "codelets/device/spinor.h"

QCD_BEGIN

enum { wide_row = QCD_ROW / 2 }; // lanes in a piece of a row of doubles

/// Where the caller's lanes of a block stand in a spinor field in double.
QCD_FN int wide_spinor_place(int block, lanes w)
{
#if defined(__OPENCL_VERSION__) || defined(__CUDACC__)
    const int lane = w.lane;
#else
    const int lane = w.first;
#endif
    const int whole = lane & (QCD_LANES - wide_row); // lanes of whole pieces before it
    return block * (QCD_SPINOR_ROWS * QCD_LANES) + lane + whole * (QCD_SPINOR_ROWS - 1);
}

QCD_FN cplx load_wide_cplx(QCD_GLOBAL const math* p)
{
    return cmake(vload_face(p), vload_face(p + wide_row));
}
QCD_FN colour load_wide_colour(QCD_GLOBAL const math* p)
{
    return colour_make(load_wide_cplx(p), load_wide_cplx(p + 2 * wide_row),
                       load_wide_cplx(p + 4 * wide_row));
}
QCD_FN spinor load_wide_spinor(QCD_GLOBAL const math* p)
{
    return spinor_make(load_wide_colour(p), load_wide_colour(p + 6 * wide_row),
                       load_wide_colour(p + 12 * wide_row), load_wide_colour(p + 18 * wide_row));
}

QCD_FN void store_wide_cplx(QCD_GLOBAL math* p, cplx z)
{
    vstore_face(p, z.re);
    vstore_face(p + wide_row, z.im);
}
QCD_FN void store_wide_colour(QCD_GLOBAL math* p, colour c)
{
    store_wide_cplx(p, c.c0);
    store_wide_cplx(p + 2 * wide_row, c.c1);
    store_wide_cplx(p + 4 * wide_row, c.c2);
}
QCD_FN void store_wide_spinor(QCD_GLOBAL math* p, spinor s)
{
    store_wide_colour(p, s.s0);
    store_wide_colour(p + 6 * wide_row, s.s1);
    store_wide_colour(p + 12 * wide_row, s.s2);
    store_wide_colour(p + 18 * wide_row, s.s3);
}

QCD_END
