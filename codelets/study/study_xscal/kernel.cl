#include "codelets/device/threads.h"
#include "codelets/study/study_xscal/site.h"

__kernel void study_xscal_kernel(study_xscal_args a, QCD_GLOBAL study_complex* x,
                                 QCD_GLOBAL const study_sum* alpha)
{
    const study_xscal_buffers f = {x, alpha};
    const int item = QCD_GROUP_ID() * QCD_STUDY_GROUP + QCD_THREAD_ID();
    if (item < study_items(a.vector)) study_xscal_item(a, f, item);
}
