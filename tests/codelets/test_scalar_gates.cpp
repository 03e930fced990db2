// What all operations on the solvers' scalars have in common: gates, histories, rounded sums.

#include "tests/codelets/scalars.hpp"

using namespace qcd;
using namespace qcd::test;

TEST_CASE("scalars: the gate closes at the threshold", "[codelets]")
{
    const Values a{1, 2, 3, 4, 5};
    for_each_step(true, false, [&](const ScalarCodelets& operation, auto old) {
        const auto gate = [&](double rr) {
            const Values b{9, 9, rr, 9, 9};
            auto c = step(operation, old, &a, &b);
            CHECK(solve_of(c).rr == rr);
            return solve_of(c).gate;
        };
        CHECK(gate(1e-3) == QCD_GATE_CONVERGED);
        CHECK(gate(std::nextafter(1e-3, 1)) == QCD_GATE_OPEN);
        CHECK(gate(0) == QCD_GATE_CONVERGED);
    });
}

TEST_CASE("scalars: in two precisions the gate closes where r is to be computed anew", "[codelets]")
{
    const Values a{1, 2, 3, 4, 5};
    for_each_step(true, false, [&](const ScalarCodelets& operation, auto old) {
        solve_of(old).drop = 0x1p-6;
        solve_of(old).most = 4;
        const auto after = [&](double rr) {
            const Values b{9, 9, rr, 9, 9};
            auto c = step(operation, old, &a, &b);
            return solve_of(c);
        };
        CHECK(after(0x1p-4).gate == QCD_GATE_UPDATE_DUE);
        CHECK(after(std::nextafter(0x1p-4, 1)).gate == QCD_GATE_OPEN);
        CHECK(after(std::nextafter(0x1p-4, 1)).most == 4);
        CHECK(after(8).most == 8);
        solve_of(old).drop = 1e-12;
        CHECK(after(1e-3).gate ==
              QCD_GATE_UPDATE_DUE); // the threshold: not converged before it is known in double
        CHECK(after(std::nextafter(1e-3, 1)).gate == QCD_GATE_OPEN);
    });
}

TEST_CASE("scalars: they go on with an r that was computed anew", "[codelets]")
{
    const Values of_r{9, 9, 9, 0.5, 9}, shadow_r{1.25, -0.75, 9, 9, 9};
    const int forgets = GENERATE(0, 1);
    const double gate = GENERATE(QCD_GATE_BREAKDOWN, QCD_GATE_UPDATE_DUE);
    const auto resume = [&](const ScalarCodelets& operation, auto old, const Values* a) {
        old.solve.gate = gate;
        old.solve.drop = 0x1p-6;
        const auto s = noted_step(operation,
                                  {.place = 2,
                                   .begins = 0,
                                   .tol = 0,
                                   .rounding = 0x1p-24,
                                   .drop = 0x1p-3,
                                   .forgets = forgets},
                                  old, a, &of_r);
        CHECK(s.c.solve.gate == QCD_GATE_OPEN);
        CHECK(s.c.solve.rr == 0.5);
        CHECK(s.c.solve.most == 0.5);
        CHECK(s.c.solve.bb == old.solve.bb);
        CHECK(s.c.solve.stop == old.solve.stop);
        CHECK(s.c.solve.drop == old.solve.drop);
        CHECK(s.history.known == 0);
        if constexpr (requires { old.x; }) {
            CHECK(number(s.c.x.alpha) == 0.0);
            CHECK(number(s.c.x.alpha_before) == 0.0);
        }
        return s.c;
    };
    // x has its steps; where the next iteration makes two, the first is of length 0.
    cg_scalars cg = cg_under_way();
    for (const double lacking : {0, 1, 2}) {
        cg.x.lacking = lacking;
        const cg_scalars c = resume(cg_resume_codelets(), cg, none);
        CHECK(c.x.lacking == (lacking == 1 ? 1 : 0));
        CHECK(c.zz == (forgets ? 0 : 1.7));
    }
    const cr_scalars cr = resume(cr_resume_codelets(), cr_under_way(), none);
    CHECK(number(cr.rho) == (forgets ? Complex(0) : Complex(1.7, -0.6)));
    CHECK(cr.ApAp == 3.1);
    CHECK(cr.most_loss == 4 * 0x1p42 * 0.5);
    const bicgstab_scalars b = resume(bicgstab_resume_codelets(), bicgstab_under_way(), &shadow_r);
    CHECK(number(b.rho) == Complex(1.25, -0.75));
    // What is no number stays behind a closed gate.
    const Values bad{0, 0, 0, poison<double>, 0};
    CHECK(step(cg_resume_codelets(), cg_under_way(), none, &bad).solve.gate == QCD_GATE_BREAKDOWN);
}

TEST_CASE("scalars: what is no number closes the gate", "[codelets]")
{
    const double nan = poison<double>, infinite = std::numeric_limits<double>::infinity();
    const Values good{1, 2, 3, 4, 5}, bad{nan, nan, nan, nan, nan}, overflow{9, 9, infinite, 9, 9};
    for_each_step(true, false, [&](const ScalarCodelets& operation, auto old) {
        auto c = step(operation, old, &good, &bad);
        CHECK(solve_of(c).gate == QCD_GATE_BREAKDOWN);
        c = step(operation, old, &good, &overflow);
        CHECK(solve_of(c).gate == QCD_GATE_BREAKDOWN);
    });
    for_each_step(true, true, [&](const ScalarCodelets& operation, auto old) {
        auto c = step(operation, old, &bad, none);
        CHECK(solve_of(c).gate == QCD_GATE_BREAKDOWN);
    });
    CHECK(step(cg_alpha_codelets(), cg_under_way(), &bad, none).solve.gate == QCD_GATE_BREAKDOWN);
}

TEST_CASE("scalars: CR breaks down where rounding takes the digits of a step", "[codelets]")
{
    // |b|^2 = 4, |Ar|^2 = 9: (r|Ar) = 6 c at first
    const auto gate = [](double tol, double rounding, double c, double rr = 4) {
        const Values bb{0, 0, 0, 4, 0};
        cr_scalars s = start<cr_scalars>(cr_start_codelets(), tol, rounding, bb).c;
        s.solve.rr = rr;
        const Values Ar{3 * std::sqrt(rr) * c, 0, 9, 0, 0};
        return step(cr_alpha_beta_codelets(), s, &Ar, none).solve.gate;
    };
    constexpr double f64 = 0x1p-53, f32 = 0x1p-24;
    // What the step makes of the residual, u |r|/c, is more than 2 tol |b|.
    CHECK(gate(1e-10, f64, 0.99 * f64 / 2e-10) == QCD_GATE_BREAKDOWN);
    CHECK(gate(1e-10, f64, -1.01 * f64 / 2e-10) == QCD_GATE_OPEN);
    CHECK(gate(1e-10, f64, 0.99 * f64 / 2e-10, 3.6) == QCD_GATE_OPEN);
    CHECK(gate(1e-4, f32, 0.99 * f32 / 2e-4) == QCD_GATE_BREAKDOWN);
    CHECK(gate(1e-4, f32, 1.01 * f32 / 2e-4) == QCD_GATE_OPEN);
    // A tolerance that rounding allows to nobody is no reason.
    CHECK(gate(1e-30, f64, 0x1p-10) == QCD_GATE_OPEN);
    CHECK(gate(1e-30, f64, 0x1p-12) == QCD_GATE_BREAKDOWN);
    // The next direction would be rounding.
    CHECK(gate(1e-4, f64, 0.99 * std::sqrt(f64) / 8, 4e-6) == QCD_GATE_BREAKDOWN);
    CHECK(gate(1e-4, f64, 1.01 * std::sqrt(f64) / 8, 4e-6) == QCD_GATE_OPEN);
    CHECK(gate(1e-4, f32, 0.99 * std::sqrt(f32) / 8, 4e-6) == QCD_GATE_BREAKDOWN);
    CHECK(gate(1e-4, f32, 1.01 * std::sqrt(f32) / 8, 4e-6) == QCD_GATE_OPEN);
    // Not asked for
    CHECK(gate(1e-4, 0, 1e-15) == QCD_GATE_OPEN);
    CHECK(gate(1e-4, 0, 0) == QCD_GATE_BREAKDOWN);
}

TEST_CASE("scalars: a |b|^2 that is no number is no convergence", "[codelets]")
{
    const double rr = GENERATE(std::numeric_limits<double>::infinity(), poison<double>);
    const Values dots{0, 0, 0, rr, 0}, a{1, 2, 3, 4, 5};
    const cr_scalars c = start<cr_scalars>(cr_start_codelets(), 1e-3, 0, dots).c;
    CHECK(c.solve.gate == QCD_GATE_OPEN);
    CHECK(step(cr_alpha_beta_codelets(), c, &a, none).solve.gate == QCD_GATE_BREAKDOWN);
}

TEST_CASE("scalars: behind a closed gate they stay, whatever the sums", "[codelets]")
{
    const double nan = poison<double>,
                 gate = GENERATE(QCD_GATE_CONVERGED, QCD_GATE_BREAKDOWN, QCD_GATE_UPDATE_DUE);
    const Values bad{nan, nan, nan, nan, nan};
    const int place = GENERATE(0, 5);
    for_each_step(false, false, [&](const ScalarCodelets& operation, auto old) {
        solve_of(old).gate = gate;
        const auto s = noted_step(
            operation,
            {.place = place, .begins = 0, .tol = 0, .rounding = 0, .drop = 0, .forgets = 0}, old,
            &bad, &bad);
        CHECK(same(s.c, old));
        CHECK(s.history.gate == gate);
        CHECK(s.history.known == 0);
    });
}

TEST_CASE("scalars: a history collects the residuals of its iterations", "[codelets]")
{
    const auto history_after = [](const Backend& backend, int residuals) {
        auto c = words_of(solve_under_way);
        auto history = poisoned<double>(sizeof(solve_history) / sizeof(double));
        for (int i = 0; i < residuals; ++i) {
            const Buffer<i64> b = sums_of(Values{9, 9, 1.5 + i, 9, 9});
            backend.run(
                last_residual_codelets().alone,
                scalar_step_args{
                    .place = i, .begins = 0, .tol = 0, .rounding = 0, .drop = 0, .forgets = 0},
                {out(c), out(history), absent, in(b)});
        }
        CHECK(struct_of<solve_scalars>(c).rr == 0.5 + residuals);
        return struct_of<solve_history>(history);
    };
    on_every_backend([&](const Backend& backend) {
        const solve_history h = history_after(backend, 3);
        CHECK(h.gate == QCD_GATE_OPEN);
        CHECK(h.bb == solve_under_way.bb);
        CHECK(h.known == 3);
        for (int i = 0; i < 3; ++i) CHECK(h.rr[i] == 1.5 + i);
        CHECK(int(history_after(backend, most_residuals + 2).known) == most_residuals);
        return bytes_of(Buffer<double>(h.rr, h.rr + 3));
    });
}

TEST_CASE("scalars: without a history they are the same", "[codelets]")
{
    const Values a{1, 2, 3, 4, 5}, b{9, 9, 1.5, 9, 9};
    const cr_scalars expected = step(cr_alpha_beta_codelets(), cr_under_way(), &a, &b);
    const Buffer<i64> sums_a = sums_of(a), sums_b = sums_of(b);
    on_every_backend([&](const Backend& backend) {
        auto c = words_of(cr_under_way());
        backend.run(cr_alpha_beta_codelets().alone, scalar_step_args{},
                    {out(c), absent, in(sums_a), in(sums_b)});
        CHECK(same(struct_of<cr_scalars>(c), expected));
        return bytes_of(c);
    });
}

TEST_CASE("scalars: sums are rounded alike on every backend", "[codelets]")
{
    // Wide cancellation, subnormal and huge results, ties: a start puts the rounded sum in |r|^2.
    const double tiny = 0x1p-1074, huge = 0x1.fffffffffffffp1023;
    const std::vector<std::vector<double>> lists = {
        {1e300, 1, -1e300}, {tiny, tiny, tiny},       {huge, -huge, tiny}, {0x1p53, 1},
        {0x1p53, 1, tiny},  {0x1p-1022, -tiny},       {huge, 0x1p969},     {huge, 0x1p970},
        {-0x1p53, -3},      {1e16, 1, -1e16, 1e-300}, {huge, huge, -huge}};
    for (const auto& list : lists) {
        Buffer<i64> sums(QCD_TASK_SUM_WORDS);
        for (const double x : list) accumulate(&sums[3 * QCD_SUM_WORDS], x);
        on_every_backend([&](const Backend& backend) {
            auto c = poisoned<double>(sizeof(cg_scalars) / sizeof(double));
            backend.run(
                cg_start_codelets().alone,
                scalar_step_args{
                    .place = 0, .begins = 1, .tol = 0, .rounding = 0, .drop = 0, .forgets = 0},
                {out(c), absent, in(sums)});
            CHECK(struct_of<cg_scalars>(c).solve.rr == value_of(sums, 3));
            return bytes_of(c);
        });
    }
}
