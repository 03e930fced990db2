#pragma once
// One item (contract: study_xscal.hpp).

#include "codelets/study/elements.h"
#include "codelets/study/study_xscal/args.h"

QCD_BEGIN

typedef struct {
    QCD_GLOBAL study_complex* x;
    QCD_GLOBAL const study_sum* alpha;
} study_xscal_buffers;

QCD_FN void study_xscal_item(study_xscal_args a, study_xscal_buffers f, int item)
{
    const study_complex alpha = study_rounded(*f.alpha);
    const int first = study_first(a.vector, item);
    for (int i = first; i < first + study_count(a.vector); ++i)
        f.x[i] = study_mul_add(alpha, f.x[i], study_make(0, 0));
}

QCD_END
