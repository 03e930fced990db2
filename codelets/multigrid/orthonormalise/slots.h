#pragma once

#include "codelets/device/slots.h"
#include "codelets/multigrid/level_args.h"

QCD_PLAIN_BEGIN

typedef struct {
    int blocks; // aggregates: warps of a GPU
    int vectors;
    level_shape level;
} orthonormalise_args;

QCD_PLAIN_END

#define QCD_SLOTS_orthonormalise(S, op) S(op, basis, updates, basis, real, required)

QCD_DECLARE_SLOTS(orthonormalise)
