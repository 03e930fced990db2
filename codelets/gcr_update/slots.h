#pragma once

#include "codelets/device/args.h"
#include "codelets/device/slots.h"
#include "codelets/gcr_scalars/args.h"

#define QCD_SLOTS_gcr_update(S, op)                                                                \
    S(op, q, updates, spinor, real, required)                                                      \
    S(op, r, updates, spinor, real, required)                                                      \
    S(op, z, stays, spinor, real, optional)                                                        \
    S(op, scalars, reads, gate, gcr_scalars, required)                                             \
    S(op, sums, writes, sums, i64, required)                                                       \
    S(op, earlier, reads, spinor, real, several(QCD_MOST_EARLIER))

QCD_ARGS_OF_BLOCKS(gcr_update)
QCD_DECLARE_SLOTS(gcr_update)
