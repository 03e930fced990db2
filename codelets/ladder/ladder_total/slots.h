#pragma once

#include "codelets/device/slots.h"
#include "codelets/ladder/ladder_total/args.h"
#include "codelets/ladder/vector.h"

#define QCD_SLOTS_ladder_total(S, op)                                                              \
    S(op, sum, writes, ladder_sums, ladder_sum, required)                                          \
    S(op, parts, reads, ladder_sums, ladder_sum, several(QCD_LADDER_PARTS))

QCD_DECLARE_SLOTS(ladder_total)
