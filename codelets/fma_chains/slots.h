#pragma once

#include "codelets/device/slots.h"

QCD_PLAIN_BEGIN

typedef struct {
    int blocks; // blocks of 32 lanes
    int steps;
    double a, b;
} fma_chains_args;

QCD_PLAIN_END

#define QCD_SLOTS_fma_chains(S, op) S(op, x, updates, spinor, real, required)

QCD_DECLARE_SLOTS(fma_chains)
