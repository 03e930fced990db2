#include "codelets/ladder/ladder_quotient/site.h"

__kernel void ladder_quotient_kernel(ladder_quotient_args a, QCD_GLOBAL ladder_sum* quotient,
                                     QCD_GLOBAL const ladder_sum* numerator,
                                     QCD_GLOBAL const ladder_sum* denominator)
{
    const ladder_quotient_buffers f = {quotient, numerator, denominator};
    ladder_quotient_item(a, f);
}
