#pragma once
// One item (contract: study_xnrm2.hpp).

#include "codelets/study/elements.h"
#include "codelets/study/study_xnrm2/args.h"

QCD_BEGIN

typedef struct {
    QCD_GLOBAL study_sum* sums;
    QCD_GLOBAL const study_complex* x;
} study_xnrm2_buffers;

QCD_FN study_sum study_xnrm2_item(study_xnrm2_args a, study_xnrm2_buffers f, int item)
{
    study_sum sum = study_no_sum();
    const int first = study_first(a.vector, item);
    for (int i = first; i < first + study_count(a.vector); ++i) {
        const study_complex x = f.x[i];
        sum.re += (double)x.re * x.re + (double)x.im * x.im;
    }
    return sum;
}

QCD_END
