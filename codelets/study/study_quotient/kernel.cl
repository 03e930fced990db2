#include "codelets/study/study_quotient/site.h"

__kernel void study_quotient_kernel(study_quotient_args a, QCD_GLOBAL study_sum* quotient,
                                    QCD_GLOBAL const study_sum* numerator,
                                    QCD_GLOBAL const study_sum* denominator)
{
    const study_quotient_buffers f = {quotient, numerator, denominator};
    study_quotient_item(a, f);
}
