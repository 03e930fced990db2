#include "codelets/ladder/ladder_sum/site.h"
#include "codelets/ladder/reduce.h"

__kernel void ladder_sum_kernel(ladder_sum_args a, QCD_GLOBAL ladder_sum* sums,
                                QCD_GLOBAL const ladder_sum* parts, QCD_LOCAL ladder_sum* shared)
{
    const ladder_sum_buffers f = {sums, parts};
    const int item = QCD_GROUP_ID() * QCD_LADDER_GROUP + QCD_THREAD_ID();
    ladder_sum own = ladder_no_sum();
    if (item < ladder_items(a.vector)) own = ladder_sum_item(a, f, item);
    ladder_reduce_group(own, shared, sums);
}
