#pragma once

#include "codelets/device/scalar_step.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    solve_scalars solve;
    scalar alpha, beta, omega;
    scalar rho; // (shadow|r)
} bicgstab_scalars;

#ifdef __cplusplus
}
#endif
