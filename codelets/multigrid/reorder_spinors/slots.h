#pragma once

#include "codelets/device/args.h"
#include "codelets/device/slots.h"

QCD_PLAIN_BEGIN

typedef struct {
    int blocks;    // of out
    int blocks_in; // of even and odd
} reorder_spinors_args;

QCD_PLAIN_END

#define QCD_SLOTS_reorder_spinors(S, op)                                                           \
    S(op, out, writes, spinor, real, required)                                                     \
    S(op, even, reads, spinor, real, required)                                                     \
    S(op, odd, reads, spinor, real, optional)                                                      \
    S(op, places, reads, places, int, required)                                                    \
    S(op, gate, reads, gate, solve_scalars, optional)

QCD_DECLARE_SLOTS(reorder_spinors)
