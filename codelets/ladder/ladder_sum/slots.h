#pragma once

#include "codelets/device/slots.h"
#include "codelets/ladder/ladder_sum/args.h"
#include "codelets/ladder/vector.h"

#define QCD_SLOTS_ladder_sum(S, op)                                                                \
    S(op, sums, writes, ladder_sums, ladder_sum, required)                                         \
    S(op, parts, reads, ladder_sums, ladder_sum, required)

QCD_DECLARE_SLOTS(ladder_sum)
