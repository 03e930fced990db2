#pragma once
// One item (contracts.hpp).

#include "codelets/ladder/elements.h"
#include "codelets/ladder/ladder_xaxpy/slots.h"

QCD_BEGIN

QCD_FN void ladder_xaxpy_item(ladder_xaxpy_args a, ladder_xaxpy_buffers f, int item)
{
    ladder_sum alpha;
    alpha.re = a.factor * (f.alpha ? f.alpha->re : 1);
    alpha.im = a.factor * (f.alpha ? f.alpha->im : 0);
    const ladder_complex rounded = ladder_rounded(alpha);
    const int first = ladder_first(a.vector, item);
    for (int i = first; i < first + ladder_count(a.vector); ++i)
        f.y[i] = ladder_mul_add(rounded, f.x[i], f.y[i]);
}

QCD_END

QCD_LADDER_KERNELS(ladder_xaxpy)
