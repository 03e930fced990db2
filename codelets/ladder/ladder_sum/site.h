#pragma once
// One item (contract: ladder_sum.hpp).

#include "codelets/ladder/elements.h"
#include "codelets/ladder/ladder_sum/args.h"

QCD_BEGIN

typedef struct {
    QCD_GLOBAL ladder_sum* sums;
    QCD_GLOBAL const ladder_sum* parts;
} ladder_sum_buffers;

QCD_FN ladder_sum ladder_sum_item(ladder_sum_args a, ladder_sum_buffers f, int item)
{
    (void)a;
    return f.parts[item];
}

QCD_END
