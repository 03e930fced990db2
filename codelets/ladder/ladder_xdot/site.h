#pragma once
// One item (contracts.hpp).

#include "codelets/ladder/elements.h"
#include "codelets/ladder/ladder_xdot/slots.h"

QCD_BEGIN

QCD_FN ladder_sum ladder_xdot_item(ladder_xdot_args a, ladder_xdot_buffers f, int item)
{
    ladder_sum sum = ladder_no_sum();
    const int first = ladder_first(a.vector, item);
    for (int i = first; i < first + ladder_count(a.vector); ++i) {
        const ladder_complex x = f.x[i], y = f.y[i];
        sum.re += (double)x.re * y.re + (double)x.im * y.im;
        sum.im += (double)x.re * y.im - (double)x.im * y.re;
    }
    return sum;
}

QCD_END

QCD_LADDER_SUM_KERNELS(ladder_xdot)
