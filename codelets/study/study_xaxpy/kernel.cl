#include "codelets/device/threads.h"
#include "codelets/study/study_xaxpy/site.h"

__kernel void study_xaxpy_kernel(study_xaxpy_args a, QCD_GLOBAL study_complex* y,
                                 QCD_GLOBAL const study_complex* x,
                                 QCD_GLOBAL const study_sum* alpha)
{
    const study_xaxpy_buffers f = {y, x, alpha};
    const int item = QCD_GROUP_ID() * QCD_STUDY_GROUP + QCD_THREAD_ID();
    if (item < study_items(a.vector)) study_xaxpy_item(a, f, item);
}
