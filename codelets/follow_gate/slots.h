#pragma once

#include "codelets/device/slots.h"
#include "codelets/follow_gate/args.h"

#define QCD_SLOTS_follow_gate(S, op)                                                               \
    S(op, inner, updates, scalars, solve_scalars, required)                                        \
    S(op, outer, reads, scalars, solve_scalars, required)

QCD_DECLARE_SLOTS(follow_gate)
