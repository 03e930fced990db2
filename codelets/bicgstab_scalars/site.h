#pragma once
// Scalars of BiCGstab (contract: bicgstab_scalars.hpp).

#include "codelets/bicgstab_scalars/args.h"

QCD_BEGIN

QCD_FN int bicgstab_start_site(scalar_step_args a, QCD_SHARED bicgstab_scalars* c, step_sums s)
{
    const int known = start_solve(a, &c->solve, s);
    c->alpha = c->beta = c->omega = scalar_make(0, 0);
    c->rho = scalar_make(c->solve.rr, 0);
    return known;
}

QCD_FN int bicgstab_resume_site(scalar_step_args a, QCD_SHARED bicgstab_scalars* c, step_sums s)
{
    if (has_ended(&c->solve) || c->solve.gate == QCD_GATE_WAITING) return 0;
    resume_solve(&c->solve, s);
    c->rho = s.a.v_out;
    return 0;
}

QCD_FN int bicgstab_alpha_site(scalar_step_args a, QCD_SHARED bicgstab_scalars* c, step_sums s)
{
    if (c->solve.gate != QCD_GATE_OPEN) return 0;
    const int known = take_residual(&c->solve, s);
    const scalar shadow_v = s.a.u_out;
    if (keep_going(&c->solve, scalar_size(c->rho) == 0.0 ? 0.0 : scalar_size(shadow_v)))
        c->alpha = scalar_div(c->rho, shadow_v);
    return known;
}

QCD_FN int bicgstab_omega_beta_site(scalar_step_args a, QCD_SHARED bicgstab_scalars* c, step_sums s)
{
    if (c->solve.gate != QCD_GATE_OPEN) return 0;
    const scalar s_t = s.a.v_out, shadow_t = s.a.u_out, shadow_s = s.b.v_out;
    const double tt = s.a.out_out;
    if (!is_finite(tt)) { // x stays as it is
        c->solve.gate = QCD_GATE_BREAKDOWN;
        return 0;
    }
    c->omega = tt == 0.0 ? scalar_make(0, 0) : scalar_over(scalar_conj(s_t), tt);
    const scalar rho = scalar_sub(shadow_s, scalar_mul(c->omega, shadow_t));
    c->beta = scalar_size(c->omega) == 0.0
                  ? scalar_make(0, 0)
                  : scalar_mul(scalar_div(rho, c->rho), scalar_div(c->alpha, c->omega));
    c->rho = rho;
    return 0;
}

QCD_END

QCD_SCALAR_KERNELS(bicgstab_scalars)
