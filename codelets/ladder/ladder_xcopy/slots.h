#pragma once

#include "codelets/device/slots.h"
#include "codelets/ladder/complex.h"
#include "codelets/ladder/vector.h"

QCD_PLAIN_BEGIN

typedef struct {
    ladder_vector vector;
    int from; // where in x it begins
} ladder_xcopy_args;

QCD_PLAIN_END

#define QCD_SLOTS_ladder_xcopy(S, op)                                                              \
    S(op, y, writes, spinor, ladder_complex, required)                                             \
    S(op, x, reads_part, spinor, ladder_complex, optional)

QCD_DECLARE_SLOTS(ladder_xcopy)
