#pragma once

#include "codelets/device/slots.h"
#include "codelets/ladder/complex.h"
#include "codelets/ladder/vector.h"

QCD_PLAIN_BEGIN

typedef struct {
    ladder_vector vector;
} ladder_xscal_args;

QCD_PLAIN_END

#define QCD_SLOTS_ladder_xscal(S, op)                                                              \
    S(op, x, updates, spinor, ladder_complex, required)                                            \
    S(op, alpha, reads, ladder_sums, ladder_sum, required)

QCD_DECLARE_SLOTS(ladder_xscal)
