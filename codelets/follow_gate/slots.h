#pragma once

#include "codelets/device/slots.h"
#include "codelets/device/solve_scalars.h"

QCD_PLAIN_BEGIN

typedef struct {
    int reserved; // no argument is needed
} follow_gate_args;

QCD_PLAIN_END

#define QCD_SLOTS_follow_gate(S, op)                                                               \
    S(op, inner, updates, scalars, solve_scalars, required)                                        \
    S(op, outer, reads, scalars, solve_scalars, required)

QCD_DECLARE_SLOTS(follow_gate)
