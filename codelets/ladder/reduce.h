#pragma once
// One pass of a sum: a group adds what its threads have, and leaves one number.

#include "codelets/device/threads.h"
#include "codelets/ladder/elements.h"

QCD_BEGIN

/// All QCD_LADDER_GROUP threads of a group call it. shared: a place for each; sums: one a group.
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
