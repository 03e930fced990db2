#pragma once
// One item (contracts.hpp).

#include "codelets/ladder/elements.h"
#include "codelets/ladder/ladder_sum/slots.h"

QCD_BEGIN

QCD_FN ladder_sum ladder_sum_item(ladder_sum_args a, ladder_sum_buffers f, int item)
{
    (void)a;
    return f.parts[item];
}

QCD_END

QCD_LADDER_SUM_KERNELS(ladder_sum)
