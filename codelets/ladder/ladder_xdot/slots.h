#pragma once

#include "codelets/device/slots.h"
#include "codelets/ladder/complex.h"
#include "codelets/ladder/vector.h"

QCD_PLAIN_BEGIN

typedef struct {
    ladder_vector vector;
} ladder_xdot_args;

QCD_PLAIN_END

#define QCD_SLOTS_ladder_xdot(S, op)                                                               \
    S(op, sums, writes, ladder_sums, ladder_sum, required)                                         \
    S(op, x, reads, spinor, ladder_complex, required)                                              \
    S(op, y, reads, spinor, ladder_complex, required)

QCD_DECLARE_SLOTS(ladder_xdot)
