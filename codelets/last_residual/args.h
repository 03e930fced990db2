#pragma once

#include "codelets/device/scalar_step.h"

// Its one operation, on any method's scalars: S(NAME, whether NAME writes or updates them, type).
#define QCD_STEPS_last_residual(S) S(last_residual, updates, solve_scalars)
