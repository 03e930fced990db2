#pragma once

#include "codelets/cr_scalars/args.h"
#include "codelets/device/args.h"
#include "codelets/device/slots.h"

#define QCD_SLOTS_cr_update(S, op)                                                                 \
    S(op, x, updates, spinor, plain, optional)                                                     \
    S(op, r, updates, spinor, real, required)                                                      \
    S(op, p, updates, spinor, real, required)                                                      \
    S(op, Ap, updates, spinor, real, required)                                                     \
    S(op, Ar, reads, spinor, real, required)                                                       \
    S(op, scalars, reads, gate, cr_scalars, required)                                              \
    S(op, sums, writes, sums, i64, required)

QCD_ARGS_OF_BLOCKS(cr_update)
QCD_DECLARE_SLOTS(cr_update)
