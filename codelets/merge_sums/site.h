#pragma once
// One word of all accumulators (contract: merge_sums.hpp).

#include "codelets/device/exact_sum.h"
#include "codelets/merge_sums/slots.h"

QCD_BEGIN

QCD_FN i64 merge_sums_word(merge_sums_args a, merge_sums_buffers f, int word)
{
    i64 sum = 0;
    for (int i = 0; i < a.parts; ++i) sum += f.parts[i][word];
    return sum;
}

QCD_END
