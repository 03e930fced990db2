#pragma once

#include "codelets/device/slots.h"
#include "codelets/ladder/complex.h"
#include "codelets/ladder/ladder_xcopy/args.h"

#define QCD_SLOTS_ladder_xcopy(S, op)                                                              \
    S(op, y, writes, spinor, ladder_complex, required)                                             \
    S(op, x, reads_part, spinor, ladder_complex, optional)

QCD_DECLARE_SLOTS(ladder_xcopy)
