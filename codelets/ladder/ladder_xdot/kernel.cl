#include "codelets/ladder/ladder_xdot/site.h"
#include "codelets/ladder/reduce.h"

__kernel void ladder_xdot_kernel(ladder_xdot_args a, QCD_GLOBAL ladder_sum* sums,
                                 QCD_GLOBAL const ladder_complex* x,
                                 QCD_GLOBAL const ladder_complex* y, QCD_LOCAL ladder_sum* shared)
{
    const ladder_xdot_buffers f = {sums, x, y};
    const int item = QCD_GROUP_ID() * QCD_LADDER_GROUP + QCD_THREAD_ID();
    ladder_sum own = ladder_no_sum();
    if (item < ladder_items(a.vector)) own = ladder_xdot_item(a, f, item);
    ladder_reduce_group(own, shared, sums);
}
