// The formulas of the solvers' scalars, on every backend.

#include "tests/codelets/scalars.hpp"

using namespace qcd;
using namespace qcd::test;

TEST_CASE("scalars: start", "[codelets]")
{
    const Values dots{1, 2, 3, 4.5, 0}, of_b{1, 2, 3, 9, 0};
    const bool from_x = GENERATE(false, true);
    const double bb = from_x ? 9 : 4.5;
    const auto check = [&](const auto& s) {
        CHECK(s.c.solve.gate == QCD_GATE_OPEN);
        CHECK(s.c.solve.rr == 4.5);
        CHECK(s.c.solve.bb == bb);
        CHECK(s.c.solve.stop == Approx(bb * 1e-6).epsilon(1e-15));
        CHECK(s.history.gate == QCD_GATE_OPEN);
        CHECK(s.history.bb == bb);
        CHECK(s.history.known == 1);
        CHECK(s.history.rr[0] == 4.5);
        CHECK(number(s.c.beta) == 0.0);
    };
    const Values* b = from_x ? &of_b : none;
    const auto cr = start<cr_scalars>(cr_start_codelets(), 1e-3, 0, dots, b);
    check(cr);
    CHECK(number(cr.c.rho) == 0.0);
    CHECK(number(cr.c.x.alpha) == 0.0);
    CHECK(cr.c.x.lacking == 0);
    CHECK(cr.c.ApAp == 0);
    const auto cg = start<cg_scalars>(cg_start_codelets(), 1e-3, 0, dots, b);
    check(cg);
    CHECK(cg.c.zz == 0);
    CHECK(number(cg.c.x.alpha) == 0.0);
    const auto bicgstab = start<bicgstab_scalars>(bicgstab_start_codelets(), 1e-3, 0, dots, b);
    check(bicgstab);
    CHECK(number(bicgstab.c.rho) == 4.5); // (shadow|r) with shadow = r
    CHECK(number(bicgstab.c.alpha) == 0.0);
    CHECK(number(bicgstab.c.omega) == 0.0);
}

TEST_CASE("scalars: r = 0 is solved, also with tolerance 0", "[codelets]")
{
    const Values zero{}, b{0, 0, 0, 4, 0};
    const double tol = GENERATE(0.0, 1e-10);
    CHECK(start<cr_scalars>(cr_start_codelets(), tol, 0, zero).c.solve.gate == QCD_GATE_CONVERGED);
    CHECK(start<cg_scalars>(cg_start_codelets(), tol, 0, zero, &b).c.solve.gate ==
          QCD_GATE_CONVERGED);
}

TEST_CASE("scalars: Conjugate Residual", "[codelets]")
{
    const Values Ar{0.4, 1.3, 5, -0.8, 0.35}; // (r|Ar), |Ar|^2, (Ap|Ar)
    const Values update{7, 7, 1.25, 7, 7};    // |r|^2
    const Complex rho(0.4, 1.3), ApAr(-0.8, 0.35);
    const ScalarCodelets& alpha_beta = cr_alpha_beta_codelets();
    cr_scalars old = cr_under_way();
    SECTION("first iteration: beta = 0")
    {
        old.rho = {0, 0};
        const cr_scalars c = step(alpha_beta, old, &Ar, none);
        CHECK(c.solve.rr == 2); // without b the residual is the previous one
        check_near(number(c.beta), 0);
        check_near(c.ApAp, 5);
        check_near(number(c.x.alpha), std::conj(rho) / 5.0);
        check_near(number(c.rho), rho);
    }
    SECTION("later: beta = conj(rho)/rho_old")
    {
        const Complex beta = std::conj(rho) / number(old.rho);
        const double ApAp = 5 + 2 * (std::conj(beta) * ApAr).real() + std::norm(beta) * 3.1;
        const cr_scalars c = step(alpha_beta, old, &Ar, &update);
        CHECK(c.solve.gate == QCD_GATE_OPEN);
        CHECK(c.solve.rr == 1.25);
        check_near(number(c.beta), beta);
        check_near(c.ApAp, ApAp);
        check_near(number(c.x.alpha), std::conj(rho) / ApAp);
        check_near(number(c.rho), rho);
        CHECK(c.solve.stop == old.solve.stop);
        CHECK(c.solve.bb == old.solve.bb);
        CHECK(number(c.x.alpha_before) == number(old.x.alpha));
        CHECK(c.x.lacking == 0);
        old.x.lacking = 0;
        CHECK(step(alpha_beta, old, &Ar, &update).x.lacking == 1);
    }
    SECTION("far beyond convergence, where squares are too small for a double")
    {
        constexpr double tiny = 0x1p-600;
        Values small;
        for (int i = 0; i < QCD_MAX_SUMS; ++i) small[i] = tiny * Ar[i];
        const Complex beta = std::conj(rho) / number(old.rho);
        for (double* v : {&old.rho.re, &old.rho.im, &old.ApAp}) *v *= tiny;
        old.solve.stop = 0;
        const cr_scalars c = step(alpha_beta, old, &small, none);
        CHECK(c.solve.gate == QCD_GATE_OPEN);
        check_near(number(c.beta), beta);
        const double ApAp = 5 + 2 * (std::conj(beta) * ApAr).real() + std::norm(beta) * 3.1;
        check_near(number(c.x.alpha), std::conj(rho) / ApAp);
    }
    SECTION("(r|Ar) = 0 is a breakdown")
    {
        const Values stuck{0, 0, 5, 1, 1};
        CHECK(step(alpha_beta, old, &stuck, &update).solve.gate == QCD_GATE_BREAKDOWN);
    }
    SECTION("A r = 0 is a breakdown")
    {
        old.rho = {0, 0};
        const Values singular{};
        CHECK(step(alpha_beta, old, &singular, none).solve.gate == QCD_GATE_BREAKDOWN);
    }
    SECTION("|Ap|^2 that rounding made negative is a breakdown")
    {
        const Values rounding{0.4, 1.3, 0, -100, 0};
        CHECK(step(alpha_beta, old, &rounding, &update).solve.gate == QCD_GATE_BREAKDOWN);
    }
}

TEST_CASE("scalars: CG on the normal equations", "[codelets]")
{
    const Values a{9, 9, 2.5, 9, 9}, update{9, 9, 1.25, 9, 9}, zero{};
    const ScalarCodelets &alpha = cg_alpha_codelets(), &beta = cg_beta_codelets();
    cg_scalars old = cg_under_way();
    SECTION("alpha = |z|^2/|q|^2")
    {
        const cg_scalars c = step(alpha, old, &a, none);
        CHECK(number(c.x.alpha) == Complex(1.7 / 2.5));
        CHECK(number(c.x.alpha_before) == number(old.x.alpha));
        CHECK(c.x.lacking == 2);
        CHECK(c.solve.rr == 2);
        CHECK(step(alpha, old, &zero, none).solve.gate == QCD_GATE_BREAKDOWN);
    }
    SECTION("beta = |z_new|^2/|z|^2")
    {
        const cg_scalars c = step(beta, old, &a, &update);
        CHECK(number(c.beta) == Complex(2.5 / 1.7));
        CHECK(c.zz == 2.5);
        CHECK(c.solve.rr == 1.25);
        CHECK(step(beta, old, &zero, &update).solve.gate == QCD_GATE_BREAKDOWN);
    }
    SECTION("x gets its steps behind the second beta, if the gate is open")
    {
        const Values converged{9, 9, 1e-4, 9, 9};
        for (const auto& [steps, left] : {std::pair(0, 0), {1, 1}, {2, 0}}) {
            old.x.lacking = steps;
            CHECK(step(beta, old, &a, &update).x.lacking == left);
            CHECK(step(beta, old, &a, &converged).x.lacking == steps);
        }
    }
    SECTION("the first beta is 0")
    {
        old.zz = 0;
        const cg_scalars c = step(beta, old, &a, none);
        CHECK(number(c.beta) == 0.0);
        CHECK(c.zz == 2.5);
    }
}

TEST_CASE("scalars: after the last iteration, the steps that x lacks", "[codelets]")
{
    const auto check = [](const ScalarCodelets& last_steps, auto old) {
        old.solve.gate = GENERATE(QCD_GATE_OPEN, QCD_GATE_CONVERGED, QCD_GATE_BREAKDOWN);
        old.x.lacking = GENERATE(0, 1, 2);
        const auto c = step(last_steps, old, none, none);
        CHECK(c.solve.gate == (old.x.lacking == 0 ? QCD_GATE_CONVERGED : QCD_GATE_OPEN));
        CHECK(number(c.beta) == 0.0);
        CHECK(c.solve.rr == old.solve.rr);
        if (old.x.lacking == 1) {
            CHECK(number(c.x.alpha_before) == number(old.x.alpha));
            CHECK(number(c.x.alpha) == 0.0);
        } else if (old.x.lacking == 2) {
            CHECK(number(c.x.alpha_before) == number(old.x.alpha_before));
            CHECK(number(c.x.alpha) == number(old.x.alpha));
        }
    };
    if (GENERATE(true, false))
        check(cr_last_steps_codelets(), cr_under_way());
    else
        check(cg_last_steps_codelets(), cg_under_way());
}

TEST_CASE("scalars: BiCGstab", "[codelets]")
{
    const bicgstab_scalars old = bicgstab_under_way();
    const Complex rho = number(old.rho), alpha = number(old.alpha);
    const ScalarCodelets& bicgstab_alpha = bicgstab_alpha_codelets();
    SECTION("alpha = (shadow|r)/(shadow|v)")
    {
        const Values v{9, 9, 9, 0.5, -1.5}, update{9, 9, 1.25, 9, 9}, orthogonal{9, 9, 9, 0, 0};
        const bicgstab_scalars c = step(bicgstab_alpha, old, &v, &update);
        check_near(number(c.alpha), rho / Complex(0.5, -1.5));
        CHECK(c.solve.rr == 1.25);
        CHECK(step(bicgstab_alpha, old, &orthogonal, &update).solve.gate == QCD_GATE_BREAKDOWN);
        bicgstab_scalars stuck = old;
        stuck.rho = {0, 0};
        CHECK(step(bicgstab_alpha, stuck, &v, &update).solve.gate == QCD_GATE_BREAKDOWN);
    }
    SECTION("far beyond convergence, where squares are too small for a double")
    {
        constexpr double tiny = 0x1p-600;
        bicgstab_scalars later = old;
        later.rho.re *= tiny, later.rho.im *= tiny;
        const Values v{9, 9, 9, 0.5 * tiny, -1.5 * tiny};
        const bicgstab_scalars c = step(bicgstab_alpha, later, &v, none);
        CHECK(c.solve.gate == QCD_GATE_OPEN);
        check_near(number(c.alpha), rho / Complex(0.5, -1.5));
    }
    const ScalarCodelets& omega_beta = bicgstab_omega_beta_codelets();
    SECTION("omega = (t|s)/(t|t), beta and the next (shadow|r)")
    {
        const Values t{0.6, 0.2, 4, -0.7, 1.1},
            s{0.3, -0.9, 1e-9, 9, 9}; // (s|t), |t|^2, (shadow|t); (shadow|s)
        const bicgstab_scalars c = step(omega_beta, old, &t, &s);
        const Complex omega = Complex(0.6, -0.2) / 4.0;
        const Complex rho_new = Complex(0.3, -0.9) - omega * Complex(-0.7, 1.1);
        check_near(number(c.omega), omega);
        check_near(number(c.rho), rho_new);
        check_near(number(c.beta), rho_new / rho * (alpha / omega));
        CHECK(c.solve.rr == 2); // |s|^2 is not the residual of an iteration
        CHECK(c.solve.gate == QCD_GATE_OPEN);
    }
    SECTION("t = 0: the step is alpha p alone")
    {
        const Values t{}, s{};
        const bicgstab_scalars c = step(omega_beta, old, &t, &s);
        CHECK(number(c.omega) == 0.0);
        CHECK(number(c.beta) == 0.0);
    }
    SECTION("x stays as it is when |t|^2 is no number")
    {
        const double tt = GENERATE(std::numeric_limits<double>::infinity(), poison<double>);
        const Values t{1, 2, tt, 4, 5}, s{1, 2, 3, 4, 5};
        CHECK(step(omega_beta, old, &t, &s).solve.gate == QCD_GATE_BREAKDOWN);
    }
}
