#pragma once
// Scalars of the Conjugate Residual method (contract: cr_scalars.hpp).

#include "codelets/cr_scalars/args.h"

QCD_BEGIN

/// Sets how much a residual may lose that is to come down to tol |b|; bb = |b|^2.
QCD_FN void limit_losses(scalar_step_args a, QCD_SHARED cr_scalars* c, double tol, double bb)
{
    c->most_loss = c->least_cos2 = 0.0;
    if (a.rounding <= 0.0) return;
    const double least_tol = 0x1p10 * a.rounding; // below, no method has digits to spare
    if (tol < least_tol) tol = least_tol;
    c->most_loss = 4.0 * (tol / a.rounding) * (tol / a.rounding) * bb;
    c->least_cos2 = 0x1p-6 * a.rounding;
}

QCD_FN int cr_start_site(scalar_step_args a, QCD_SHARED cr_scalars* c, step_sums s)
{
    const double tol = starting_tolerance(a, &c->solve);
    const int known = start_solve(a, &c->solve, s);
    no_steps(&c->x);
    c->beta = c->rho = scalar_make(0, 0);
    c->ApAp = 0.0;
    if (a.drop > 0.0) // computed anew until then
        limit_losses(a, c, a.drop, c->solve.rr);
    else
        limit_losses(a, c, tol, c->solve.bb);
    return known;
}

QCD_FN int cr_resume_site(scalar_step_args a, QCD_SHARED cr_scalars* c, step_sums s)
{
    if (has_ended(&c->solve)) no_steps(&c->x); // x has them
    if (has_ended(&c->solve) || c->solve.gate == QCD_GATE_WAITING) return 0;
    resume_solve(&c->solve, s);
    steps_were_added(&c->x);
    limit_losses(a, c, a.drop, c->solve.rr);
    if (a.forgets) c->rho = scalar_make(0, 0);
    return 0;
}

/// Has the step digits? For indefinite A (r|Ar) may vanish though r does not: the step is 0 then,
/// and the next direction the difference of two vectors that are almost equal. With c = |(r|Ar)| /
/// (|r||Ar|) of a step, its rounding moves r from b - Ax by some u |r|/c (measured: 0.8 of it; more
/// than twice tol |b| is too much), and directions are no longer conjugate where c^2 is below u
/// (seen below u/64, on many sites less: errors of sums cancel).
QCD_FN int step_has_digits(QCD_SHARED const cr_scalars* c, double rho, double ArAr)
{
    if (c->most_loss == 0.0) return 1;
    const double cos2 = rho / c->solve.rr * (rho / ArAr);
    return cos2 >= c->least_cos2 && cos2 * c->most_loss >= c->solve.rr;
}

/// A - A^dagger diagonal.
QCD_FN int cr_alpha_beta_site(scalar_step_args a, QCD_SHARED cr_scalars* c, step_sums s)
{
    if (c->solve.gate != QCD_GATE_OPEN) return 0;
    const int known = take_residual(&c->solve, s);
    const scalar rho = s.a.v_out, ApAr = s.a.u_out;
    const double ArAr = s.a.out_out;
    const int first = scalar_size(c->rho) == 0.0;
    // beta = conj(rho_new)/rho_old: the conjugate matters as soon as A has a complex shift
    const scalar beta = first ? scalar_make(0, 0) : scalar_div(scalar_conj(rho), c->rho);
    // |Ap_new|^2 = |Ar + beta Ap|^2
    const double ApAp =
        ArAr + 2.0 * scalar_mul(scalar_conj(beta), ApAr).re + scalar_norm2(beta) * c->ApAp;
    const int step = scalar_size(rho) > 0.0 && step_has_digits(c, scalar_size(rho), ArAr);
    if (!keep_going(&c->solve, step ? ApAp : 0.0)) return known;
    c->rho = rho;
    c->beta = beta;
    next_alpha(&c->x, scalar_over(scalar_conj(rho), ApAp));
    steps_are_made(&c->x);
    c->ApAp = ApAp;
    return known;
}

QCD_FN int cr_last_steps_site(scalar_step_args a, QCD_SHARED cr_scalars* c, step_sums s)
{
    last_steps(&c->solve, &c->x);
    c->beta = scalar_make(0, 0);
    return 0;
}

QCD_END

QCD_SCALAR_KERNELS(cr_scalars)
