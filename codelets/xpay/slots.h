#pragma once

#include "codelets/device/slots.h"
#include "codelets/xpay/args.h"

#define QCD_SLOTS_xpay(S, op)                                                                      \
    S(op, x, reads, spinor, real, required)                                                        \
    S(op, y, updates, spinor, real, required)

QCD_DECLARE_SLOTS(xpay)
