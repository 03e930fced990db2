#pragma once
// One pass of a sum: a group adds what its threads have, and leaves one number.

#include "codelets/device/threads.h"
#include "codelets/ladder/elements.h"

QCD_BEGIN

/// By all threads of a group of QCD_LADDER_GROUP. shared: so many; sums: one for each group.
QCD_THREAD_FN void ladder_reduce_group(ladder_sum own, QCD_LOCAL ladder_sum* shared,
                                       QCD_GLOBAL ladder_sum* sums)
{
    const int thread = QCD_THREAD_ID();
    shared[thread] = own;
    for (int step = QCD_LADDER_GROUP / 2; step > 0; step /= 2) {
        QCD_BARRIER();
        if (thread < step) {
            const ladder_sum a = shared[thread], b = shared[thread + step];
            shared[thread] = ladder_add_sums(a, b);
        }
    }
    if (thread == 0) sums[QCD_GROUP_ID()] = shared[0];
}

QCD_END
