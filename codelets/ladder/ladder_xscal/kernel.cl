#include "codelets/device/threads.h"
#include "codelets/ladder/ladder_xscal/site.h"

__kernel void ladder_xscal_kernel(ladder_xscal_args a, QCD_GLOBAL ladder_complex* x,
                                  QCD_GLOBAL const ladder_sum* alpha)
{
    const ladder_xscal_buffers f = {x, alpha};
    const int item = QCD_GROUP_ID() * QCD_LADDER_GROUP + QCD_THREAD_ID();
    if (item < ladder_items(a.vector)) ladder_xscal_item(a, f, item);
}
