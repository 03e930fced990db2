#pragma once

#include "codelets/cg_scalars/args.h"
#include "codelets/device/args.h"
#include "codelets/device/slots.h"

QCD_PLAIN_BEGIN

typedef struct {
    int blocks; // blocks of 32 lanes
    int reach;  // QCD_REACH_*; for cores only
} cg_update_args;

QCD_PLAIN_END

#define QCD_SLOTS_cg_update(S, op)                                                                 \
    S(op, x, updates, spinor, plain, optional)                                                     \
    S(op, next, updates_with(cg_update_x), spinor, real, required)                                 \
    S(op, p, reads, spinor, real, required)                                                        \
    S(op, z, reads, spinor, real, required)                                                        \
    S(op, scalars, reads, gate, cg_scalars, required)

QCD_DECLARE_SLOTS(cg_update)
