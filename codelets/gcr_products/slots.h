#pragma once

#include "codelets/device/args.h"
#include "codelets/device/slots.h"
#include "codelets/gcr_scalars/args.h"

#define QCD_SLOTS_gcr_products(S, op)                                                              \
    S(op, Az, reads, spinor, real, required)                                                       \
    S(op, q0, reads, spinor, real, required)                                                       \
    S(op, q1, reads, spinor, real, optional)                                                       \
    S(op, scalars, reads, gate, gcr_scalars, required)                                             \
    S(op, sums, writes, sums, i64, required)

QCD_ARGS_OF_BLOCKS(gcr_products)
QCD_DECLARE_SLOTS(gcr_products)
