#pragma once

#include "codelets/device/slots.h"
#include "codelets/ladder/vector.h"

QCD_PLAIN_BEGIN

typedef struct {
    int count; // complex numbers
} ladder_quotient_args;

QCD_PLAIN_END

#define QCD_SLOTS_ladder_quotient(S, op)                                                           \
    S(op, quotient, writes, ladder_sums, ladder_sum, required)                                     \
    S(op, a, reads, ladder_sums, ladder_sum, required)                                             \
    S(op, b, reads, ladder_sums, ladder_sum, required)

QCD_DECLARE_SLOTS(ladder_quotient)
