#pragma once

#include "codelets/device/slots.h"
#include "codelets/ladder/complex.h"
#include "codelets/ladder/ladder_xaxpy/args.h"

#define QCD_SLOTS_ladder_xaxpy(S, op)                                                              \
    S(op, y, updates, spinor, ladder_complex, required)                                            \
    S(op, x, reads, spinor, ladder_complex, required)                                              \
    S(op, alpha, reads, ladder_sums, ladder_sum, optional)

QCD_DECLARE_SLOTS(ladder_xaxpy)
