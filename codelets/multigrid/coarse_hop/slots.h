#pragma once

#include "codelets/device/slots.h"
#include "codelets/multigrid/level_args.h"

// Values of coarse_hop_args::terms (coarse_hop.hpp).
#define QCD_ALL_TERMS 0
#define QCD_WITHIN 1
#define QCD_ACROSS 2

QCD_PLAIN_BEGIN

typedef struct {
    int blocks; // of level
    int terms;
    int whole[4];
    level_shape level;
} coarse_hop_args;

QCD_PLAIN_END

#define QCD_SLOTS_coarse_hop(S, op)                                                                \
    S(op, out, writes, spinor, real, required)                                                     \
    S(op, matrices, reads, matrices, real, required)                                               \
    S(op, in, reads, spinor, real, required)                                                       \
    S(op, ahead, reads_part, spinor, real, several(4))                                             \
    S(op, behind, reads_part, spinor, real, several(4))                                            \
    S(op, u, reads, spinor, real, optional)                                                        \
    S(op, gate, reads, gate, solve_scalars, optional)

QCD_DECLARE_SLOTS(coarse_hop)
