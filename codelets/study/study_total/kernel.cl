#include "codelets/study/study_total/site.h"

__kernel void study_total_kernel(study_total_args a, QCD_GLOBAL study_sum* sum,
                                 QCD_GLOBAL const study_sum* p0, QCD_GLOBAL const study_sum* p1,
                                 QCD_GLOBAL const study_sum* p2, QCD_GLOBAL const study_sum* p3,
                                 QCD_GLOBAL const study_sum* p4, QCD_GLOBAL const study_sum* p5,
                                 QCD_GLOBAL const study_sum* p6, QCD_GLOBAL const study_sum* p7)
{
    const study_total_buffers f = {sum, {p0, p1, p2, p3, p4, p5, p6, p7}};
    study_total_item(a, f);
}
