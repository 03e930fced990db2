#pragma once

#include "codelets/device/args.h"
#include "codelets/device/slots.h"

#define QCD_SLOTS_coarse_products(S, op)                                                           \
    S(op, q, reads, spinor, real, required)                                                        \
    S(op, u, reads, spinor, real, optional)                                                        \
    S(op, gate, reads, gate, solve_scalars, optional)                                              \
    S(op, sums, writes, sums, i64, required)

QCD_ARGS_OF_BLOCKS(coarse_products)
QCD_DECLARE_SLOTS(coarse_products)
