#pragma once
// Scalars of CG on the normal equations (contract: cg_scalars.hpp).

#include "codelets/cg_scalars/args.h"

QCD_BEGIN

QCD_FN int cg_start_site(scalar_step_args a, QCD_SHARED cg_scalars* c, step_sums s)
{
    no_steps(&c->x);
    c->beta = scalar_make(0, 0);
    c->zz = 0.0;
    return start_solve(a, &c->solve, s);
}

QCD_FN int cg_alpha_site(scalar_step_args a, QCD_SHARED cg_scalars* c, step_sums s)
{
    if (c->solve.gate != QCD_GATE_OPEN) return 0;
    const double qq = s.a.out_out;
    if (keep_going(&c->solve, qq)) next_alpha(&c->x, scalar_make(c->zz / qq, 0.0));
    return 0;
}

QCD_FN int cg_beta_site(scalar_step_args a, QCD_SHARED cg_scalars* c, step_sums s)
{
    if (c->solve.gate != QCD_GATE_OPEN) return 0;
    const int known = take_residual(&c->solve, s);
    const double zz = s.a.out_out;
    if (!keep_going(&c->solve, zz)) return known;
    c->beta = scalar_make(c->zz == 0.0 ? 0.0 : zz / c->zz, 0.0);
    c->zz = zz;
    steps_are_made(&c->x);
    return known;
}

QCD_FN int cg_resume_site(scalar_step_args a, QCD_SHARED cg_scalars* c, step_sums s)
{
    if (has_ended(&c->solve)) no_steps(&c->x); // x has them
    if (has_ended(&c->solve) || c->solve.gate == QCD_GATE_WAITING) return 0;
    resume_solve(&c->solve, s);
    steps_were_added(&c->x);
    if (a.forgets) c->zz = 0.0;
    return 0;
}

QCD_FN int cg_last_steps_site(scalar_step_args a, QCD_SHARED cg_scalars* c, step_sums s)
{
    last_steps(&c->solve, &c->x);
    c->beta = scalar_make(0, 0);
    return 0;
}

QCD_END

QCD_SCALAR_KERNELS(cg_scalars)
