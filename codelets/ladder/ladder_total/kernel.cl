#include "codelets/ladder/ladder_total/site.h"

__kernel void ladder_total_kernel(ladder_total_args a, QCD_GLOBAL ladder_sum* sum,
                                  QCD_GLOBAL const ladder_sum* p0, QCD_GLOBAL const ladder_sum* p1,
                                  QCD_GLOBAL const ladder_sum* p2, QCD_GLOBAL const ladder_sum* p3,
                                  QCD_GLOBAL const ladder_sum* p4, QCD_GLOBAL const ladder_sum* p5,
                                  QCD_GLOBAL const ladder_sum* p6, QCD_GLOBAL const ladder_sum* p7)
{
    const ladder_total_buffers f = {sum, {p0, p1, p2, p3, p4, p5, p6, p7}};
    ladder_total_item(a, f);
}
