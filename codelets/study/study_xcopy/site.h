#pragma once
// One item (contract: study_xcopy.hpp).

#include "codelets/study/elements.h"
#include "codelets/study/study_xcopy/args.h"

QCD_BEGIN

typedef struct {
    QCD_GLOBAL study_complex* y;
    QCD_GLOBAL const study_complex* x;
} study_xcopy_buffers;

QCD_FN void study_xcopy_item(study_xcopy_args a, study_xcopy_buffers f, int item)
{
    const int first = study_first(a.vector, item);
    for (int i = first; i < first + study_count(a.vector); ++i)
        f.y[i] = f.x ? f.x[a.from + i] : study_make(0, 0);
}

QCD_END
