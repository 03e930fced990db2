#pragma once

#include "codelets/device/slots.h"
#include "codelets/ladder/complex.h"
#include "codelets/ladder/vector.h"

QCD_PLAIN_BEGIN

typedef struct {
    ladder_vector vector;
} ladder_xnrm2_args;

QCD_PLAIN_END

#define QCD_SLOTS_ladder_xnrm2(S, op)                                                              \
    S(op, sums, writes, ladder_sums, ladder_sum, required)                                         \
    S(op, x, reads, spinor, ladder_complex, required)

QCD_DECLARE_SLOTS(ladder_xnrm2)
