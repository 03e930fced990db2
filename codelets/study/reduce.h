#pragma once
// One pass of a sum: a group adds what its threads have, and leaves one number.

#include "codelets/study/elements.h"
#include "codelets/study/threads.h"

QCD_BEGIN

/// By all threads of a group of QCD_STUDY_GROUP. local: so many; sums: one for each group.
QCD_THREAD_FN void study_reduce_group(study_sum own, QCD_LOCAL study_sum* local,
                                      QCD_GLOBAL study_sum* sums)
{
    const int thread = QCD_THREAD_ID();
    local[thread] = own;
    for (int half = QCD_STUDY_GROUP / 2; half > 0; half /= 2) {
        QCD_BARRIER();
        if (thread < half) {
            const study_sum a = local[thread], b = local[thread + half];
            local[thread] = study_add_sums(a, b);
        }
    }
    if (thread == 0) sums[QCD_GROUP_ID()] = local[0];
}

QCD_END
