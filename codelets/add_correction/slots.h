#pragma once

#include "codelets/device/args.h"
#include "codelets/device/slots.h"

#define QCD_SLOTS_add_correction(S, op)                                                            \
    S(op, y, updates, spinor, math, required)                                                      \
    S(op, x, reads, spinor, plain, required)                                                       \
    S(op, before, reads, spinor, real, optional)                                                   \
    S(op, p, reads, spinor, real, optional)                                                        \
    S(op, steps, reads, scalars, scalars_with_steps, optional)

QCD_ARGS_OF_BLOCKS(add_correction)
QCD_DECLARE_SLOTS(add_correction)
