#pragma once

#include "codelets/device/slots.h"
#include "codelets/fma_chains/args.h"

#define QCD_SLOTS_fma_chains(S, op) S(op, x, updates, spinor, real, required)

QCD_DECLARE_SLOTS(fma_chains)
