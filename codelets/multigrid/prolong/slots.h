#pragma once

#include "codelets/device/slots.h"
#include "codelets/multigrid/level_args.h"

QCD_PLAIN_BEGIN

typedef struct {
    int blocks; // of level
    int vectors, column;
    level_shape level, coarse;
} prolong_args;

QCD_PLAIN_END

#define QCD_SLOTS_prolong(S, op)                                                                   \
    S(op, out, writes, spinor, real, required)                                                     \
    S(op, basis, reads, basis, real, required)                                                     \
    S(op, coarse, reads, spinor, real, optional)                                                   \
    S(op, gate, reads, gate, solve_scalars, optional)

QCD_DECLARE_SLOTS(prolong)
