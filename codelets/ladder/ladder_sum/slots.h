#pragma once

#include "codelets/device/slots.h"
#include "codelets/ladder/vector.h"

QCD_PLAIN_BEGIN

typedef struct {
    ladder_vector vector; // what it adds up
} ladder_sum_args;

QCD_PLAIN_END

#define QCD_SLOTS_ladder_sum(S, op)                                                                \
    S(op, sums, writes, ladder_sums, ladder_sum, required)                                         \
    S(op, parts, reads, ladder_sums, ladder_sum, required)

QCD_DECLARE_SLOTS(ladder_sum)
