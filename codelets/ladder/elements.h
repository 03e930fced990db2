#pragma once
// What a thread, or a core's item, does with its complex numbers.

#include "codelets/ladder/complex.h"
#include "codelets/ladder/vector.h"

QCD_BEGIN

/// The first one of an item, and how many it has.
QCD_FN int ladder_first(ladder_vector v, int item)
{
    return v.a_spinor ? item * QCD_LADDER_ELEMENTS : item;
}
QCD_FN int ladder_count(ladder_vector v) { return v.a_spinor ? QCD_LADDER_ELEMENTS : 1; }

QCD_FN ladder_sum ladder_no_sum(void)
{
    ladder_sum s;
    s.re = 0;
    s.im = 0;
    return s;
}
QCD_FN ladder_sum ladder_add_sums(ladder_sum a, ladder_sum b)
{
    a.re += b.re;
    a.im += b.im;
    return a;
}
QCD_FN ladder_complex ladder_rounded(ladder_sum z) { return ladder_make((real)z.re, (real)z.im); }

QCD_END
