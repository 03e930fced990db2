#pragma once

#include "codelets/bicgstab_scalars/args.h"
#include "codelets/device/args.h"
#include "codelets/device/slots.h"

#define QCD_SLOTS_bicgstab_update(S, op)                                                           \
    S(op, x, updates, spinor, plain, required)                                                     \
    S(op, r, updates, spinor, real, required)                                                      \
    S(op, p, updates, spinor, real, required)                                                      \
    S(op, v, reads, spinor, real, required)                                                        \
    S(op, t, reads, spinor, real, required)                                                        \
    S(op, scalars, reads, gate, bicgstab_scalars, required)                                        \
    S(op, sums, writes, sums, i64, required)

QCD_ARGS_OF_BLOCKS(bicgstab_update)
QCD_DECLARE_SLOTS(bicgstab_update)
