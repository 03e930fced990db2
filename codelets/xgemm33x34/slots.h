#pragma once

#include "codelets/device/slots.h"
#include "codelets/xgemm33x34/args.h"

#define QCD_SLOTS_xgemm33x34(S, op)                                                                \
    S(op, out, writes, spinor, real, required)                                                     \
    S(op, links, reads_one_of(4), links, real, required)                                           \
    S(op, psi, reads, spinor, real, required)

QCD_DECLARE_SLOTS(xgemm33x34)
