#pragma once

#include "codelets/device/slots.h"
#include "codelets/ladder/complex.h"
#include "codelets/ladder/ladder_xdot/args.h"

#define QCD_SLOTS_ladder_xdot(S, op)                                                               \
    S(op, sums, writes, ladder_sums, ladder_sum, required)                                         \
    S(op, x, reads, spinor, ladder_complex, required)                                              \
    S(op, y, reads, spinor, ladder_complex, required)

QCD_DECLARE_SLOTS(ladder_xdot)
