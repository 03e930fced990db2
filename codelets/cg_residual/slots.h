#pragma once

#include "codelets/cg_scalars/args.h"
#include "codelets/device/args.h"
#include "codelets/device/slots.h"

#define QCD_SLOTS_cg_residual(S, op)                                                               \
    S(op, r, updates, spinor, real, required)                                                      \
    S(op, q, reads, spinor, real, required)                                                        \
    S(op, scalars, reads, gate, cg_scalars, required)                                              \
    S(op, sums, writes, sums, i64, required)

QCD_ARGS_OF_BLOCKS(cg_residual)
QCD_DECLARE_SLOTS(cg_residual)
