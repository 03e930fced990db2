#pragma once

#include "codelets/device/slots.h"
#include "codelets/ladder/complex.h"
#include "codelets/ladder/ladder_xgemm34x44/args.h"

#define QCD_SLOTS_ladder_xgemm34x44(S, op)                                                         \
    S(op, out, writes, spinor, ladder_complex, required)                                           \
    S(op, psi, reads, spinor, ladder_complex, required)                                            \
    S(op, below, reads, ladder_slice, ladder_complex, optional)                                    \
    S(op, above, reads, ladder_slice, ladder_complex, optional)

QCD_DECLARE_SLOTS(ladder_xgemm34x44)
