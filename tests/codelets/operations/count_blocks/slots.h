#pragma once

#include "codelets/device/args.h"
#include "codelets/device/slots.h"

QCD_ARGS_OF_BLOCKS(count_blocks)

#define QCD_SLOTS_count_blocks(S, op) S(op, times, updates, ints, int, required)

QCD_DECLARE_SLOTS(count_blocks)
