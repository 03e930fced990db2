#pragma once

#include "codelets/device/scalar_step.h"

QCD_PLAIN_BEGIN

typedef struct {
    solve_scalars solve;
    x_steps x;   // with alpha
    scalar beta; // real, as alpha is: the updates are the same for complex ones
    double zz;   // |z|^2; 0 before the first beta
} cg_scalars;

QCD_PLAIN_END

// Operations on them: S(NAME, whether NAME writes or updates them, type).
#define QCD_STEPS_cg_scalars(S)                                                                    \
    S(cg_start, writes, cg_scalars)                                                                \
    S(cg_resume, updates, cg_scalars)                                                              \
    S(cg_alpha, updates, cg_scalars)                                                               \
    S(cg_beta, updates, cg_scalars)                                                                \
    S(cg_last_steps, updates, cg_scalars)
