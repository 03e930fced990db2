#pragma once

#include "codelets/device/scalar_step.h"

QCD_PLAIN_BEGIN

typedef struct {
    solve_scalars solve;
    x_steps x;         // with alpha
    scalar beta, rho;  // rho = (r|Ar); 0 before the first iteration
    double ApAp;       // |Ap|^2
    double most_loss;  // |r|^2/cos^2 of the angle of r and Ar: breakdown above; 0: never
    double least_cos2; // cos^2 of that angle: breakdown below
} cr_scalars;

QCD_PLAIN_END

// Operations on them: S(NAME, whether NAME writes or updates them, type).
#define QCD_STEPS_cr_scalars(S)                                                                    \
    S(cr_start, writes, cr_scalars)                                                                \
    S(cr_resume, updates, cr_scalars)                                                              \
    S(cr_alpha_beta, updates, cr_scalars)                                                          \
    S(cr_last_steps, updates, cr_scalars)
