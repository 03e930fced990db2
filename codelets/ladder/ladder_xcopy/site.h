#pragma once
// One item (contracts.hpp).

#include "codelets/ladder/elements.h"
#include "codelets/ladder/ladder_xcopy/slots.h"

QCD_BEGIN

QCD_FN void ladder_xcopy_item(ladder_xcopy_args a, ladder_xcopy_buffers f, int item)
{
    const int first = ladder_first(a.vector, item);
    for (int i = first; i < first + ladder_count(a.vector); ++i)
        f.y[i] = f.x ? f.x[a.from + i] : ladder_make(0, 0);
}

QCD_END

QCD_LADDER_KERNELS(ladder_xcopy)
