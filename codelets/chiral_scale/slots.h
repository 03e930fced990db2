#pragma once

#include "codelets/device/args.h"
#include "codelets/device/slots.h"

QCD_PLAIN_BEGIN

typedef struct {
    int blocks; // blocks of 32 lanes
    chiral c;
} chiral_scale_args;

QCD_PLAIN_END

#define QCD_SLOTS_chiral_scale(S, op)                                                              \
    S(op, out, writes, spinor, real, required)                                                     \
    S(op, in, reads, spinor, real, optional)                                                       \
    S(op, gate, reads, gate, solve_scalars, optional)

QCD_DECLARE_SLOTS(chiral_scale)
