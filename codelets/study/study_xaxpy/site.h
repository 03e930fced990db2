#pragma once
// One item (contract: study_xaxpy.hpp).

#include "codelets/study/elements.h"
#include "codelets/study/study_xaxpy/args.h"

QCD_BEGIN

typedef struct {
    QCD_GLOBAL study_complex* y;
    QCD_GLOBAL const study_complex* x;
    QCD_GLOBAL const study_sum* alpha;
} study_xaxpy_buffers;

QCD_FN void study_xaxpy_item(study_xaxpy_args a, study_xaxpy_buffers f, int item)
{
    study_sum alpha;
    alpha.re = a.factor * (f.alpha ? f.alpha->re : 1);
    alpha.im = a.factor * (f.alpha ? f.alpha->im : 0);
    const study_complex rounded = study_rounded(alpha);
    const int first = study_first(a.vector, item);
    for (int i = first; i < first + study_count(a.vector); ++i)
        f.y[i] = study_mul_add(rounded, f.x[i], f.y[i]);
}

QCD_END
