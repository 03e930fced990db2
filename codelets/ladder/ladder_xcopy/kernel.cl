#include "codelets/device/threads.h"
#include "codelets/ladder/ladder_xcopy/site.h"

__kernel void ladder_xcopy_kernel(ladder_xcopy_args a, QCD_GLOBAL ladder_complex* y,
                                  QCD_GLOBAL const ladder_complex* x)
{
    const ladder_xcopy_buffers f = {y, x};
    const int item = QCD_GROUP_ID() * QCD_LADDER_GROUP + QCD_THREAD_ID();
    if (item < ladder_items(a.vector)) ladder_xcopy_item(a, f, item);
}
