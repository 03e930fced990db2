#pragma once

#include "codelets/device/slots.h"
#include "tests/codelets/operations/count_blocks/args.h"

#define QCD_SLOTS_count_blocks(S, op) S(op, times, updates, ints, int, required)

QCD_DECLARE_SLOTS(count_blocks)
