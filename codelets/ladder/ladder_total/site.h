#pragma once
// One thread does it all (contracts.hpp).

#include "codelets/ladder/elements.h"
#include "codelets/ladder/ladder_total/slots.h"

QCD_BEGIN

QCD_FN void ladder_total_item(ladder_total_args a, ladder_total_buffers f)
{
    ladder_sum sum = a.more ? *f.sum : ladder_no_sum();
    for (int i = 0; i < QCD_LADDER_PARTS; ++i)
        if (f.parts[i]) sum = ladder_add_sums(sum, *f.parts[i]);
    *f.sum = sum;
}

QCD_END

QCD_LADDER_SINGLE_KERNELS(ladder_total)
