#pragma once
// One item (contract: study_xdot.hpp).

#include "codelets/study/elements.h"
#include "codelets/study/study_xdot/args.h"

QCD_BEGIN

typedef struct {
    QCD_GLOBAL study_sum* sums;
    QCD_GLOBAL const study_complex* x;
    QCD_GLOBAL const study_complex* y;
} study_xdot_buffers;

QCD_FN study_sum study_xdot_item(study_xdot_args a, study_xdot_buffers f, int item)
{
    study_sum sum = study_no_sum();
    const int first = study_first(a.vector, item);
    for (int i = first; i < first + study_count(a.vector); ++i) {
        const study_complex x = f.x[i], y = f.y[i];
        sum.re += (double)x.re * y.re + (double)x.im * y.im;
        sum.im += (double)x.re * y.im - (double)x.im * y.re;
    }
    return sum;
}

QCD_END
