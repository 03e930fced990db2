#pragma once

#include "codelets/device/slots.h"
#include "codelets/ladder/ladder_quotient/args.h"
#include "codelets/ladder/vector.h"

#define QCD_SLOTS_ladder_quotient(S, op)                                                           \
    S(op, quotient, writes, ladder_sums, ladder_sum, required)                                     \
    S(op, a, reads, ladder_sums, ladder_sum, required)                                             \
    S(op, b, reads, ladder_sums, ladder_sum, required)

QCD_DECLARE_SLOTS(ladder_quotient)
