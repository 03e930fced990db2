#include "codelets/device/threads.h"
#include "codelets/ladder/ladder_xaxpy/site.h"

__kernel void ladder_xaxpy_kernel(ladder_xaxpy_args a, QCD_GLOBAL ladder_complex* y,
                                  QCD_GLOBAL const ladder_complex* x,
                                  QCD_GLOBAL const ladder_sum* alpha)
{
    const ladder_xaxpy_buffers f = {y, x, alpha};
    const int item = QCD_GROUP_ID() * QCD_LADDER_GROUP + QCD_THREAD_ID();
    if (item < ladder_items(a.vector)) ladder_xaxpy_item(a, f, item);
}
