#include "codelets/ladder/ladder_xnrm2/site.h"
#include "codelets/ladder/reduce.h"

__kernel void ladder_xnrm2_kernel(ladder_xnrm2_args a, QCD_GLOBAL ladder_sum* sums,
                                  QCD_GLOBAL const ladder_complex* x, QCD_LOCAL ladder_sum* shared)
{
    const ladder_xnrm2_buffers f = {sums, x};
    const int item = QCD_GROUP_ID() * QCD_LADDER_GROUP + QCD_THREAD_ID();
    ladder_sum own = ladder_no_sum();
    if (item < ladder_items(a.vector)) own = ladder_xnrm2_item(a, f, item);
    ladder_reduce_group(own, shared, sums);
}
