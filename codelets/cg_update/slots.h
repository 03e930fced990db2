#pragma once

#include "codelets/cg_scalars/args.h"
#include "codelets/cg_update/args.h"
#include "codelets/device/slots.h"

#define QCD_SLOTS_cg_update(S, op)                                                                 \
    S(op, x, updates, spinor, plain, optional)                                                     \
    S(op, next, updates_with(cg_update_x), spinor, real, required)                                 \
    S(op, p, reads, spinor, real, required)                                                        \
    S(op, z, reads, spinor, real, required)                                                        \
    S(op, scalars, reads, gate, cg_scalars, required)

QCD_DECLARE_SLOTS(cg_update)
