#pragma once

#include "codelets/device/scalar_step.h"

QCD_PLAIN_BEGIN

typedef struct {
    solve_scalars solve;
    scalar alpha, beta, omega;
    scalar rho; // (shadow|r)
} bicgstab_scalars;

QCD_PLAIN_END

// Operations on them: S(NAME, whether NAME writes or updates them, type).
#define QCD_STEPS_bicgstab_scalars(S)                                                              \
    S(bicgstab_start, writes, bicgstab_scalars)                                                    \
    S(bicgstab_resume, updates, bicgstab_scalars)                                                  \
    S(bicgstab_alpha, updates, bicgstab_scalars)                                                   \
    S(bicgstab_omega_beta, updates, bicgstab_scalars)
