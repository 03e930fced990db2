#include "codelets/device/threads.h"
#include "codelets/study/study_xcopy/site.h"

__kernel void study_xcopy_kernel(study_xcopy_args a, QCD_GLOBAL study_complex* y,
                                 QCD_GLOBAL const study_complex* x)
{
    const study_xcopy_buffers f = {y, x};
    const int item = QCD_GROUP_ID() * QCD_STUDY_GROUP + QCD_THREAD_ID();
    if (item < study_items(a.vector)) study_xcopy_item(a, f, item);
}
