#pragma once
// One pass of a sum: a group adds what its threads have, and leaves one number.

#include "codelets/device/threads.h"
#include "codelets/study/elements.h"

QCD_BEGIN

/// By all threads of a group of QCD_STUDY_GROUP. shared: so many; sums: one for each group.
QCD_THREAD_FN void study_reduce_group(study_sum own, QCD_LOCAL study_sum* shared,
                                      QCD_GLOBAL study_sum* sums)
{
    const int thread = QCD_THREAD_ID();
    shared[thread] = own;
    for (int step = QCD_STUDY_GROUP / 2; step > 0; step /= 2) {
        QCD_BARRIER();
        if (thread < step) {
            const study_sum a = shared[thread], b = shared[thread + step];
            shared[thread] = study_add_sums(a, b);
        }
    }
    if (thread == 0) sums[QCD_GROUP_ID()] = shared[0];
}

QCD_END
