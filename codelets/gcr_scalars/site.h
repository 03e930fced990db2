#pragma once
// Scalars of GCR (contract: gcr_scalars.hpp).

#include "codelets/gcr_scalars/args.h"

QCD_BEGIN

QCD_FN void gcr_new_cycle(QCD_SHARED gcr_scalars* c) { c->directions = c->projected = 0.0; }

QCD_FN int gcr_start_site(scalar_step_args a, QCD_SHARED gcr_scalars* c, step_sums s)
{
    const int known = start_solve(a, &c->solve, s);
    gcr_new_cycle(c);
    c->used = 0.0;
    for (int k = 0; k < QCD_MOST_DIRECTIONS; ++k) {
        c->norm2[k] = 0.0;
        c->alpha[k] = c->beta[k] = c->xi[k] = scalar_make(0, 0);
    }
    for (int i = 0; i < QCD_MOST_DIRECTIONS * (QCD_MOST_DIRECTIONS - 1) / 2; ++i)
        c->triangle[i] = scalar_make(0, 0);
    return known;
}

QCD_FN int gcr_resume_site(scalar_step_args a, QCD_SHARED gcr_scalars* c, step_sums s)
{
    if (has_ended(&c->solve) || c->solve.gate == QCD_GATE_WAITING) return 0;
    resume_solve(&c->solve, s);
    gcr_new_cycle(c);
    return 0;
}

QCD_FN int gcr_project_site(scalar_step_args a, QCD_SHARED gcr_scalars* c, step_sums s)
{
    if (c->solve.gate != QCD_GATE_OPEN) return 0;
    const int first = (int)c->projected;
    c->beta[first] = s.a.v_out;
    c->beta[first + 1] = s.a.u_out;
    if (s.has_b) {
        c->beta[first + 2] = s.b.v_out;
        c->beta[first + 3] = s.b.u_out;
    }
    c->projected += s.has_b ? QCD_PROJECTED_AT_ONCE : QCD_PROJECTED_AT_ONCE / 2;
    return 0;
}

QCD_FN int gcr_alpha_site(scalar_step_args a, QCD_SHARED gcr_scalars* c, step_sums s)
{
    if (c->solve.gate != QCD_GATE_OPEN) return 0;
    const int k = (int)c->directions;
    double qq = s.a.out_out;
    for (int l = 0; l < k; ++l) {
        const scalar beta = scalar_over(c->beta[l], c->norm2[l]);
        qq -= scalar_norm2(beta) * c->norm2[l];
        c->beta[l] = c->triangle[k * (k - 1) / 2 + l] = beta;
    }
    c->projected = 0.0;
    if (!keep_going(&c->solve, qq)) return 0;
    c->alpha[k] = scalar_over(scalar_conj(s.a.u_out), qq);
    c->directions += 1.0;
    return 0;
}

QCD_FN int gcr_residual_site(scalar_step_args a, QCD_SHARED gcr_scalars* c, step_sums s)
{
    if (c->solve.gate != QCD_GATE_OPEN) return 0;
    c->norm2[(int)c->directions - 1] = s.b.u_out.re;
    const int known = take_residual(&c->solve, s);
    keep_going(&c->solve, 1.0);
    return known;
}

QCD_FN void gcr_end_cycle(QCD_SHARED gcr_scalars* c)
{
    c->used = c->directions;
    for (int l = (int)c->used - 1; l >= 0; --l) {
        scalar xi = c->alpha[l];
        for (int k = l + 1; k < (int)c->used; ++k)
            xi = scalar_sub(xi, scalar_mul(c->triangle[k * (k - 1) / 2 + l], c->xi[k]));
        c->xi[l] = xi;
    }
    gcr_new_cycle(c);
}

QCD_FN int gcr_steps_site(scalar_step_args a, QCD_SHARED gcr_scalars* c, step_sums s)
{
    if (c->solve.gate == QCD_GATE_OPEN) gcr_end_cycle(c);
    return 0;
}

QCD_FN int gcr_last_steps_site(scalar_step_args a, QCD_SHARED gcr_scalars* c, step_sums s)
{
    gcr_end_cycle(c);
    if (c->used != 0.0)
        c->solve.gate = QCD_GATE_OPEN;
    else if (c->solve.gate == QCD_GATE_OPEN)
        c->solve.gate = QCD_GATE_CONVERGED;
    return 0;
}

QCD_END

QCD_SCALAR_KERNELS(gcr_scalars)
