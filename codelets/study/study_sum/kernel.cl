#include "codelets/study/reduce.h"
#include "codelets/study/study_sum/site.h"

__kernel void study_sum_kernel(study_sum_args a, QCD_GLOBAL study_sum* sums,
                               QCD_GLOBAL const study_sum* parts, QCD_LOCAL study_sum* shared)
{
    const study_sum_buffers f = {sums, parts};
    const int item = QCD_GROUP_ID() * QCD_STUDY_GROUP + QCD_THREAD_ID();
    study_sum own = study_no_sum();
    if (item < study_items(a.vector)) own = study_sum_item(a, f, item);
    study_reduce_group(own, shared, sums);
}
