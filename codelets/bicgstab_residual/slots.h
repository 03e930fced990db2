#pragma once

#include "codelets/bicgstab_scalars/args.h"
#include "codelets/device/args.h"
#include "codelets/device/slots.h"

#define QCD_SLOTS_bicgstab_residual(S, op)                                                         \
    S(op, r, updates, spinor, real, required)                                                      \
    S(op, v, reads, spinor, real, required)                                                        \
    S(op, shadow, reads, spinor, real, required)                                                   \
    S(op, scalars, reads, gate, bicgstab_scalars, required)                                        \
    S(op, sums, writes, sums, i64, required)

QCD_ARGS_OF_BLOCKS(bicgstab_residual)
QCD_DECLARE_SLOTS(bicgstab_residual)
