#pragma once

#include "codelets/device/slots.h"
#include "codelets/ladder/vector.h"

#define QCD_LADDER_PARTS 8

QCD_PLAIN_BEGIN

typedef struct {
    int more; // 1: sum is added to
} ladder_total_args;

QCD_PLAIN_END

#define QCD_SLOTS_ladder_total(S, op)                                                              \
    S(op, sum, writes, ladder_sums, ladder_sum, required)                                          \
    S(op, parts, reads, ladder_sums, ladder_sum, several(QCD_LADDER_PARTS))

QCD_DECLARE_SLOTS(ladder_total)
