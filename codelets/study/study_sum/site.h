#pragma once
// One item (contract: study_sum.hpp).

#include "codelets/study/elements.h"
#include "codelets/study/study_sum/args.h"

QCD_BEGIN

typedef struct {
    QCD_GLOBAL study_sum* sums;
    QCD_GLOBAL const study_sum* parts;
} study_sum_buffers;

QCD_FN study_sum study_sum_item(study_sum_args a, study_sum_buffers f, int item)
{
    (void)a;
    return f.parts[item];
}

QCD_END
