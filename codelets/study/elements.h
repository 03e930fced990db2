#pragma once
// What a thread, or a core's item, does with its complex numbers.

#include "codelets/study/complex.h"
#include "codelets/study/vector.h"

QCD_BEGIN

/// The first one of an item, and how many it has.
QCD_FN int study_first(study_vector v, int item)
{
    return v.a_spinor ? item * QCD_STUDY_ELEMENTS : item;
}
QCD_FN int study_count(study_vector v) { return v.a_spinor ? QCD_STUDY_ELEMENTS : 1; }

QCD_FN study_sum study_no_sum(void)
{
    study_sum s;
    s.re = 0;
    s.im = 0;
    return s;
}
QCD_FN study_sum study_add_sums(study_sum a, study_sum b)
{
    a.re += b.re;
    a.im += b.im;
    return a;
}
QCD_FN study_complex study_rounded(study_sum z) { return study_make((real)z.re, (real)z.im); }

QCD_END
