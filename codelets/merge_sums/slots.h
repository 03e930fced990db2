#pragma once

#include "codelets/device/slots.h"

#define QCD_MERGE_FAN_IN 14

QCD_PLAIN_BEGIN

typedef struct {
    int parts; // filled slots from merge_sums_parts on
} merge_sums_args;

QCD_PLAIN_END

#define QCD_SLOTS_merge_sums(S, op)                                                                \
    S(op, out, writes, whole_sums, i64, required)                                                  \
    S(op, parts, reads, whole_sums, i64, several(QCD_MERGE_FAN_IN))

QCD_DECLARE_SLOTS(merge_sums)
