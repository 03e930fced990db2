#pragma once

#include "codelets/device/slots.h"
#include "codelets/dot/args.h"

#define QCD_SLOTS_dot(S, op)                                                                       \
    S(op, x, reads, spinor, real, required)                                                        \
    S(op, y, reads, spinor, real, optional)                                                        \
    S(op, sums, writes, sums, i64, required)

QCD_DECLARE_SLOTS(dot)
