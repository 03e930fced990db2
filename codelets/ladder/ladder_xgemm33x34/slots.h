#pragma once

#include "codelets/device/slots.h"
#include "codelets/ladder/complex.h"
#include "codelets/ladder/ladder_xgemm33x34/args.h"

#define QCD_SLOTS_ladder_xgemm33x34(S, op)                                                         \
    S(op, out, writes, spinor, ladder_complex, required)                                           \
    S(op, t, reads, spinor, ladder_complex, required)                                              \
    S(op, links, reads, links, ladder_complex, required)                                           \
    S(op, psi, reads, spinor, ladder_complex, optional)

QCD_DECLARE_SLOTS(ladder_xgemm33x34)
