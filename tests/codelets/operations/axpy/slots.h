#pragma once

#include "codelets/device/slots.h"
#include "tests/codelets/operations/axpy/args.h"

#define QCD_SLOTS_axpy(S, op)                                                                      \
    S(op, x, reads, spinor, real, required)                                                        \
    S(op, y, updates, spinor, real, required)

QCD_DECLARE_SLOTS(axpy)
