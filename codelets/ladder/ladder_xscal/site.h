#pragma once
// One item (contracts.hpp).

#include "codelets/ladder/elements.h"
#include "codelets/ladder/ladder_xscal/slots.h"

QCD_BEGIN

QCD_FN void ladder_xscal_item(ladder_xscal_args a, ladder_xscal_buffers f, int item)
{
    const ladder_complex alpha = ladder_rounded(*f.alpha);
    const int first = ladder_first(a.vector, item);
    for (int i = first; i < first + ladder_count(a.vector); ++i)
        f.x[i] = ladder_mul_add(alpha, f.x[i], ladder_make(0, 0));
}

QCD_END

QCD_LADDER_KERNELS(ladder_xscal)
