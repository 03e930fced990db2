#pragma once
// By one thread (contract: study_total.hpp).

#include "codelets/study/elements.h"
#include "codelets/study/study_total/args.h"

QCD_BEGIN

typedef struct {
    QCD_GLOBAL study_sum* sum;
    QCD_GLOBAL const study_sum* parts[QCD_STUDY_PARTS];
} study_total_buffers;

QCD_FN void study_total_item(study_total_args a, study_total_buffers f)
{
    study_sum sum = a.more ? *f.sum : study_no_sum();
    for (int i = 0; i < QCD_STUDY_PARTS; ++i)
        if (f.parts[i]) sum = study_add_sums(sum, *f.parts[i]);
    *f.sum = sum;
}

QCD_END
