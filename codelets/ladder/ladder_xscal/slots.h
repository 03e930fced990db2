#pragma once

#include "codelets/device/slots.h"
#include "codelets/ladder/complex.h"
#include "codelets/ladder/ladder_xscal/args.h"

#define QCD_SLOTS_ladder_xscal(S, op)                                                              \
    S(op, x, updates, spinor, ladder_complex, required)                                            \
    S(op, alpha, reads, ladder_sums, ladder_sum, required)

QCD_DECLARE_SLOTS(ladder_xscal)
