#pragma once

#include "codelets/device/scalar_step.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    solve_scalars solve;
    x_steps x;   // with alpha
    scalar beta; // real, as alpha is: the updates are the same for complex ones
    double zz;   // |z|^2; 0 before the first beta
} cg_scalars;

#ifdef __cplusplus
}
#endif
