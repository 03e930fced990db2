#pragma once

#include "codelets/device/args.h"
#include "codelets/device/slots.h"

QCD_PLAIN_BEGIN

typedef struct {
    int blocks; // blocks of 32 lanes
    int mu;     // 0 to 3
    int sign;   // +1 or -1
} xgemm34x44_args;

QCD_PLAIN_END

#define QCD_SLOTS_xgemm34x44(S, op)                                                                \
    S(op, out, writes, spinor, real, required)                                                     \
    S(op, psi, reads, spinor, real, required)

QCD_DECLARE_SLOTS(xgemm34x44)
