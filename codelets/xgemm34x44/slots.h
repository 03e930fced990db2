#pragma once

#include "codelets/device/slots.h"
#include "codelets/xgemm34x44/args.h"

#define QCD_SLOTS_xgemm34x44(S, op)                                                                \
    S(op, out, writes, spinor, real, required)                                                     \
    S(op, psi, reads, spinor, real, required)

QCD_DECLARE_SLOTS(xgemm34x44)
