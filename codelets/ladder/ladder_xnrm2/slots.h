#pragma once

#include "codelets/device/slots.h"
#include "codelets/ladder/complex.h"
#include "codelets/ladder/ladder_xnrm2/args.h"

#define QCD_SLOTS_ladder_xnrm2(S, op)                                                              \
    S(op, sums, writes, ladder_sums, ladder_sum, required)                                         \
    S(op, x, reads, spinor, ladder_complex, required)

QCD_DECLARE_SLOTS(ladder_xnrm2)
