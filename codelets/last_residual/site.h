#pragma once
// Contract: last_residual.hpp.

#include "codelets/last_residual/args.h"

QCD_BEGIN

QCD_FN int last_residual_site(scalar_step_args a, QCD_SHARED solve_scalars* c, step_sums s)
{
    if (c->gate != QCD_GATE_OPEN) return 0;
    const int known = take_residual(c, s);
    keep_going(c, 1.0);
    return known;
}

QCD_END

QCD_SCALAR_KERNELS(last_residual)
