#pragma once
// One item (contracts.hpp).

#include "codelets/ladder/elements.h"
#include "codelets/ladder/ladder_xnrm2/slots.h"

QCD_BEGIN

QCD_FN ladder_sum ladder_xnrm2_item(ladder_xnrm2_args a, ladder_xnrm2_buffers f, int item)
{
    ladder_sum sum = ladder_no_sum();
    const int first = ladder_first(a.vector, item);
    for (int i = first; i < first + ladder_count(a.vector); ++i) {
        const ladder_complex x = f.x[i];
        sum.re += (double)x.re * x.re + (double)x.im * x.im;
    }
    return sum;
}

QCD_END

QCD_LADDER_SUM_KERNELS(ladder_xnrm2)
