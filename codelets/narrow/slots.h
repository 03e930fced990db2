#pragma once

#include "codelets/device/args.h"
#include "codelets/device/slots.h"

#define QCD_SLOTS_narrow(S, op)                                                                    \
    S(op, out, writes, spinor, real, required)                                                     \
    S(op, in, reads, spinor, math, required)

QCD_ARGS_OF_BLOCKS(narrow)
QCD_DECLARE_SLOTS(narrow)
