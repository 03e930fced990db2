#pragma once

#include "codelets/device/args.h"
#include "codelets/device/scalar.h"
#include "codelets/device/slots.h"

QCD_PLAIN_BEGIN

typedef struct {
    int blocks; // blocks of 32 lanes
    scalar beta;
} xpay_args;

QCD_PLAIN_END

#define QCD_SLOTS_xpay(S, op)                                                                      \
    S(op, x, reads, spinor, real, required)                                                        \
    S(op, y, updates, spinor, real, required)

QCD_DECLARE_SLOTS(xpay)
