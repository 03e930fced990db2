#pragma once

#include "codelets/device/args.h"
#include "codelets/device/slots.h"

#define QCD_SLOTS_widen(S, op)                                                                     \
    S(op, out, writes, spinor, math, required)                                                     \
    S(op, in, reads, spinor, real, required)                                                       \
    S(op, gate, reads, gate, solve_scalars, optional)

QCD_ARGS_OF_BLOCKS(widen)
QCD_DECLARE_SLOTS(widen)
