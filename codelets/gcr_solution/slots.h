#pragma once

#include "codelets/device/args.h"
#include "codelets/device/slots.h"
#include "codelets/gcr_scalars/args.h"

#define QCD_SLOTS_gcr_solution(S, op)                                                              \
    S(op, x, updates, spinor, real, required)                                                      \
    S(op, scalars, reads, gate, gcr_scalars, required)                                             \
    S(op, z, reads, spinor, real, several(QCD_MOST_DIRECTIONS))

QCD_ARGS_OF_BLOCKS(gcr_solution)
QCD_DECLARE_SLOTS(gcr_solution)
