#pragma once

#include "codelets/device/slots.h"
#include "codelets/ladder/complex.h"
#include "codelets/ladder/vector.h"

QCD_PLAIN_BEGIN

typedef struct {
    ladder_vector vector;
    double factor; // +1 or -1
} ladder_xaxpy_args;

QCD_PLAIN_END

#define QCD_SLOTS_ladder_xaxpy(S, op)                                                              \
    S(op, y, updates, spinor, ladder_complex, required)                                            \
    S(op, x, reads, spinor, ladder_complex, required)                                              \
    S(op, alpha, reads, ladder_sums, ladder_sum, optional)

QCD_DECLARE_SLOTS(ladder_xaxpy)
