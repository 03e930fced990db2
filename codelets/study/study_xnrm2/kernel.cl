#include "codelets/study/reduce.h"
#include "codelets/study/study_xnrm2/site.h"

__kernel void study_xnrm2_kernel(study_xnrm2_args a, QCD_GLOBAL study_sum* sums,
                                 QCD_GLOBAL const study_complex* x, QCD_LOCAL study_sum* shared)
{
    const study_xnrm2_buffers f = {sums, x};
    const int item = QCD_GROUP_ID() * QCD_STUDY_GROUP + QCD_THREAD_ID();
    study_sum own = study_no_sum();
    if (item < study_items(a.vector)) own = study_xnrm2_item(a, f, item);
    study_reduce_group(own, shared, sums);
}
