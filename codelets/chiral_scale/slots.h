#pragma once

#include "codelets/chiral_scale/args.h"
#include "codelets/device/slots.h"

#define QCD_SLOTS_chiral_scale(S, op)                                                              \
    S(op, out, writes, spinor, real, required)                                                     \
    S(op, in, reads, spinor, real, optional)                                                       \
    S(op, gate, reads, gate, solve_scalars, optional)

QCD_DECLARE_SLOTS(chiral_scale)
