#pragma once
// The scalars of the solvers (contract: coefficients.hpp). One work item, on copies that its group
// has.

#include "codelets/coefficients/args.h"
#include "codelets/device/exact_sum.h"

QCD_BEGIN

typedef struct {
    double re, im;
} scalar;

QCD_FN scalar scalar_make(double re, double im)
{
    scalar z;
    z.re = re;
    z.im = im;
    return z;
}
QCD_FN scalar scalar_conj(scalar z) { return scalar_make(z.re, -z.im); }
QCD_FN scalar scalar_mul(scalar a, scalar b)
{
    return scalar_make(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
QCD_FN scalar scalar_times(scalar z, double d) { return scalar_make(z.re * d, z.im * d); }
QCD_FN scalar scalar_over(scalar z, double d) { return scalar_make(z.re / d, z.im / d); }
QCD_FN double scalar_norm2(scalar z) { return z.re * z.re + z.im * z.im; }
/// Zero only for zero, unlike the square.
QCD_FN double scalar_size(scalar z)
{
    return (z.re < 0 ? -z.re : z.re) + (z.im < 0 ? -z.im : z.im);
}
QCD_FN scalar scalar_div(scalar a, scalar b)
{
    const double power_of_2 = scalar_size(b) < 0x1p-400 ? 0x1p512 : 1.0; // for |b|^2 to be in range
    a = scalar_times(a, power_of_2);
    b = scalar_times(b, power_of_2);
    return scalar_over(scalar_mul(a, scalar_conj(b)), scalar_norm2(b));
}

QCD_FN scalar scalar_at(QCD_SHARED const double* c, int place)
{
    return scalar_make(c[place], c[place + 1]);
}
QCD_FN void put_scalar(QCD_SHARED double* c, int place, scalar z)
{
    c[place] = z.re;
    c[place + 1] = z.im;
}
/// The rounded values of a set of accumulators.
typedef struct {
    double v[QCD_MAX_SUMS];
} lattice_sums;

QCD_FN scalar sums_at(lattice_sums s, int i) { return scalar_make(s.v[i], s.v[i + 1]); }

QCD_FN void set_residual(QCD_SHARED double* c, double rr)
{
    const int known = (int)c[QCD_KNOWN];
    c[QCD_RR] = rr;
    if (known >= QCD_MOST_RESIDUALS) return;
    c[QCD_RESIDUALS + known] = rr;
    c[QCD_KNOWN] = known + 1;
}

QCD_FN void stage_start(coefficients_args a, QCD_SHARED double* c, lattice_sums s)
{
    for (int i = 0; i < QCD_COEFFICIENTS; ++i) c[i] = 0.0;
    const double rr = s.v[3];
    set_residual(c, rr);
    c[QCD_STOP] = rr <= 0x1.fffffffffffffp1023 ? a.tol * a.tol * rr : 0.0; // else: breaks down
    c[QCD_RHO] = a.rho_is_rr ? rr : 0.0;
    if (a.rounding > 0.0) {
        const double least_tol = 0x1p10 * a.rounding; // below, no method has digits to spare
        const double tol = a.tol > least_tol ? a.tol : least_tol;
        c[QCD_MOST_LOSS] = 4.0 * (tol / a.rounding) * (tol / a.rounding) * rr;
        c[QCD_LEAST_COS2] = 0x1p-6 * a.rounding;
    }
    c[QCD_GATE] = rr <= c[QCD_STOP] ? 1.0 : 0.0;
}

/// Closes the gate when the residual is small enough, or when the method cannot go on: divisors are
/// squares or sizes, so one that is not positive is zero, rounding or no number.
QCD_FN int keep_going(QCD_SHARED double* c, double divisor)
{
    if (c[QCD_RR] <= c[QCD_STOP])
        c[QCD_GATE] = 1.0;
    else if (!(divisor > 0.0) || !(c[QCD_RR] <= 0x1.fffffffffffffp1023))
        c[QCD_GATE] = 2.0;
    return c[QCD_GATE] == 0.0;
}

/// Of CR and CG, whose x goes through memory for two steps at a time.
QCD_FN void next_alpha(QCD_SHARED double* c, scalar alpha)
{
    put_scalar(c, QCD_ALPHA_BEFORE, scalar_at(c, QCD_ALPHA));
    put_scalar(c, QCD_ALPHA, alpha);
    c[QCD_STEPS] += 1.0;
}
QCD_FN void steps_are_made(QCD_SHARED double* c)
{
    if (c[QCD_STEPS] == 2.0) c[QCD_STEPS] = 0.0;
}

/// Has CR's step digits? For indefinite A (r|Ar) may vanish though r does not: the step is 0 then,
/// and the next direction the difference of two vectors that are almost equal. With c = |(r|Ar)| /
/// (|r||Ar|) of a step, its rounding moves r from b - Ax by some u |r|/c (measured: 0.8 of it; more
/// than twice tol |b| is too much), and directions are no longer conjugate where c^2 is below u
/// (seen below u/64, on many sites less: errors of sums cancel).
QCD_FN int step_has_digits(QCD_SHARED double* c, double rho, double ArAr)
{
    if (c[QCD_MOST_LOSS] == 0.0) return 1;
    const double cos2 = rho / c[QCD_RR] * (rho / ArAr);
    return cos2 >= c[QCD_LEAST_COS2] && cos2 * c[QCD_MOST_LOSS] >= c[QCD_RR];
}

/// Conjugate Residual, A - A^dagger diagonal. rho = (r|Ar).
QCD_FN void stage_cr(QCD_SHARED double* c, lattice_sums s)
{
    const scalar rho = sums_at(s, 0), old = scalar_at(c, QCD_RHO), ApAr = sums_at(s, 3);
    const int first = scalar_size(old) == 0.0;
    // beta = conj(rho_new)/rho_old: the conjugate matters as soon as A has a complex shift
    const scalar beta = first ? scalar_make(0, 0) : scalar_div(scalar_conj(rho), old);
    // |Ap_new|^2 = |Ar + beta Ap|^2
    const double ApAp =
        s.v[2] + 2.0 * scalar_mul(scalar_conj(beta), ApAr).re + scalar_norm2(beta) * c[QCD_APAP];
    const int step = scalar_size(rho) > 0.0 && step_has_digits(c, scalar_size(rho), s.v[2]);
    if (!keep_going(c, step ? ApAp : 0.0)) return;
    put_scalar(c, QCD_RHO, rho);
    put_scalar(c, QCD_BETA, beta);
    next_alpha(c, scalar_over(scalar_conj(rho), ApAp));
    steps_are_made(c); // by the cr_update that follows
    c[QCD_APAP] = ApAp;
}

/// CG on the normal equations: alpha = |z|^2 / |q|^2.
QCD_FN void stage_cg_alpha(QCD_SHARED double* c, lattice_sums s)
{
    const double qq = s.v[2];
    if (!keep_going(c, qq)) return;
    next_alpha(c, scalar_make(c[QCD_RHO] / qq, 0.0));
}

/// beta = |z_new|^2 / |z|^2; 0 the first time.
QCD_FN void stage_cg_beta(QCD_SHARED double* c, lattice_sums s)
{
    const double zz = s.v[2], old = c[QCD_RHO];
    if (!keep_going(c, zz)) return;
    put_scalar(c, QCD_BETA, scalar_make(old == 0.0 ? 0.0 : zz / old, 0.0));
    c[QCD_RHO] = zz;
    steps_are_made(c); // by the cg_update that follows
}

/// CR and CG, after the last iteration, behind a closed gate, too: x gets the steps that it lacks,
/// by two alphas, of which the later one is 0 if it lacks one step; p, Ap and r do not count any
/// more.
QCD_FN void stage_last_steps(QCD_SHARED double* c)
{
    if (c[QCD_STEPS] == 1.0) next_alpha(c, scalar_make(0, 0));
    put_scalar(c, QCD_BETA, scalar_make(0, 0));
    c[QCD_GATE] = c[QCD_STEPS] == 0.0 ? 1.0 : 0.0;
}

/// BiCGstab: alpha = (shadow|r) / (shadow|v).
QCD_FN void stage_bicgstab_alpha(QCD_SHARED double* c, lattice_sums s)
{
    const scalar sv = sums_at(s, 3);
    if (!keep_going(c, scalar_size(scalar_at(c, QCD_RHO)) == 0.0 ? 0.0 : scalar_size(sv))) return;
    put_scalar(c, QCD_ALPHA, scalar_div(scalar_at(c, QCD_RHO), sv));
}

/// omega = (t|s)/(t|t), (shadow|r_new) = (shadow|s) - omega (shadow|t), beta =
/// (rho_new/rho)(alpha/omega). t = 0 means s = 0: alpha p was the whole step.
QCD_FN void stage_bicgstab_omega(QCD_SHARED double* c, lattice_sums t, lattice_sums s)
{
    const double tt = t.v[2];
    if (!(tt <= 0x1.fffffffffffffp1023)) { // x stays as it is
        c[QCD_GATE] = 2.0;
        return;
    }
    const scalar omega =
        tt == 0.0 ? scalar_make(0, 0) : scalar_over(scalar_conj(sums_at(t, 0)), tt);
    const scalar step = scalar_mul(omega, sums_at(t, 3)), shadow_s = sums_at(s, 0);
    const scalar rho = scalar_make(shadow_s.re - step.re, shadow_s.im - step.im);
    const scalar old = scalar_at(c, QCD_RHO);
    put_scalar(c, QCD_OMEGA, omega);
    put_scalar(c, QCD_BETA,
               scalar_size(omega) == 0.0
                   ? scalar_make(0, 0)
                   : scalar_mul(scalar_div(rho, old), scalar_div(scalar_at(c, QCD_ALPHA), omega)));
    put_scalar(c, QCD_RHO, rho);
}

/// has_b: sums_b were given.
QCD_FN void coefficients_site(coefficients_args a, QCD_SHARED double* out,
                              QCD_SHARED const double* previous, lattice_sums sums_a,
                              lattice_sums sums_b, int has_b)
{
    if (a.stage == QCD_STAGE_START) {
        stage_start(a, out, sums_a);
        return;
    }
    if (previous != 0) {
        for (int i = 0; i < QCD_SCALARS; ++i) out[i] = previous[i];
        for (int i = QCD_SCALARS; i < QCD_COEFFICIENTS; ++i) out[i] = 0.0;
    }
    if (a.stage == QCD_STAGE_LAST_STEPS) stage_last_steps(out);
    if (out[QCD_GATE] != 0.0) return;
    if (has_b && a.stage != QCD_STAGE_BICGSTAB_OMEGA) set_residual(out, sums_b.v[2]);
    if (a.stage == QCD_STAGE_RESIDUAL) keep_going(out, 1.0);
    if (a.stage == QCD_STAGE_CR) stage_cr(out, sums_a);
    if (a.stage == QCD_STAGE_CG_ALPHA) stage_cg_alpha(out, sums_a);
    if (a.stage == QCD_STAGE_CG_BETA) stage_cg_beta(out, sums_a);
    if (a.stage == QCD_STAGE_BICGSTAB_ALPHA) stage_bicgstab_alpha(out, sums_a);
    if (a.stage == QCD_STAGE_BICGSTAB_OMEGA) stage_bicgstab_omega(out, sums_a, sums_b);
}

QCD_END
