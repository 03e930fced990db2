#pragma once

#include "codelets/device/slots.h"
#include "codelets/multigrid/level_args.h"

QCD_PLAIN_BEGIN

typedef struct {
    int blocks; // n for each aggregate: warps of a GPU
    int vectors, face;
    level_shape level, coarse;
    coarse_place to;
} restrict_args;

QCD_PLAIN_END

#define QCD_SLOTS_restrict(S, op)                                                                  \
    S(op, out, writes, spinor, real, required)                                                     \
    S(op, basis, reads, basis, real, required)                                                     \
    S(op, in, reads, spinor, real, required)                                                       \
    S(op, gate, reads, gate, solve_scalars, optional)

QCD_DECLARE_SLOTS(restrict)
