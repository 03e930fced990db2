#pragma once

#include "codelets/device/slots.h"
#include "codelets/merge_sums/args.h"

#define QCD_SLOTS_merge_sums(S, op)                                                                \
    S(op, out, writes, whole_sums, i64, required)                                                  \
    S(op, parts, reads, whole_sums, i64, several(QCD_MERGE_FAN_IN))

QCD_DECLARE_SLOTS(merge_sums)
