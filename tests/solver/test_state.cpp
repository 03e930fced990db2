// A solve in parts: its state, read out and put back.

#include "lattice/error.hpp"
#include "tests/solver/tiled_solve.hpp"

using namespace qcd;
using namespace qcd::test;

namespace
{

Plan graph_plan() { return {}; }
Plan batch_plan() { return {.kind = PlanKind::batch, .iterations = 3}; }

Tiling other_tiling() { return Tiling(small_lattice(), {{{4}, {4, 2}, {2}, {2, 6}}}); }

void check_same(const SolveReport& report, const SolveReport& expected)
{
    CHECK(report.history == expected.history);
    CHECK(report.iterations == expected.iterations);
    CHECK(report.residual == expected.residual);
    CHECK(report.converged == expected.converged);
    CHECK(report.operator_applications == expected.operator_applications);
}

} // namespace

TEST_CASE("state: a solve goes on from it to the same bits, on other tiles and by another plan",
          "[solver]")
{
    use_workers({.cpu = 1});
    const Setting s = any_setting();
    const bool from_batch = GENERATE(false, true);
    INFO(name_of(s) << (from_batch ? ", from batch" : ", from graph"));
    const SolveControl whole = until(s.precision == Precision::f64 ? 1e-8 : 1e-4);
    TiledSolve once(small_wilson(), small_tiling(), s);
    const SolveReport expected = once.solve(small_source(), whole);
    REQUIRE(expected.converged);

    TiledSolve first(small_wilson(), small_tiling(), s, from_batch ? batch_plan() : graph_plan());
    TiledSolve second(small_wilson(), other_tiling(), s, from_batch ? graph_plan() : batch_plan());
    first.set_source(small_source());
    second.set_source(small_source());
    for (const int n : {0, 1, 2, 5}) { // x lacks a step after odd ones
        INFO("after " << n);
        CHECK(first.parts().run(until(whole.tol, n)).iterations == n);
        const State state = first.parts().state();
        second.parts().put(state);
        check_same(second.parts().go_on(whole), expected);
        second.parts().finish();
        CHECK(second.digest() == once.digest());
    }
    // Reading it has changed nothing, and there may be several parts.
    first.parts().go_on(until(whole.tol, 6));
    check_same(first.parts().go_on(whole), expected);
    // The state of a solve that has ended, whose x may lack steps.
    second.parts().put(first.parts().state());
    check_same(second.parts().go_on(whole), expected);
    second.parts().finish();
    CHECK(second.digest() == once.digest());
    first.parts().finish();
    CHECK(first.digest() == once.digest());
}

TEST_CASE("state: of a solve that was stopped from outside", "[solver]")
{
    use_workers({.cpu = 1});
    const Setting s = any_setting();
    INFO(name_of(s));
    TiledSolve once(small_wilson(), small_tiling(), s);
    const SolveReport expected = once.solve(small_source(), until(0, 20));
    std::atomic<bool> stop{false};
    SolveControl control = until(0, 20);
    control.stop = &stop;
    control.progress = [&](int iteration, double) { stop = stop || iteration == 5; };
    TiledSolve first(small_wilson(), small_tiling(), s, batch_plan());
    first.set_source(small_source());
    CHECK(first.parts().run(control).interrupted);
    TiledSolve second(small_wilson(), other_tiling(), s);
    second.set_source(small_source());
    second.parts().put(first.parts().state());
    const SolveReport report = second.parts().go_on(until(0, 20));
    CHECK(report.history == expected.history);
    CHECK_FALSE(report.interrupted);
    second.parts().finish();
    CHECK(second.digest() == once.digest());
}

TEST_CASE("state: between linked workers and others", "[solver]")
{
    if (cores() < 2) return;
    use_workers({.cpu = 2});
    const Setting s{GENERATE(Method::cr, Method::cg, Method::bicgstab), true, Precision::f64};
    INFO(name_of(s));
    const Plan linked{.kind = PlanKind::linked, .iterations = 3, .owners = {0, 1}};
    const Tiling halves(small_lattice(), Extents{1, 1, 1, 2});
    TiledSolve once(small_wilson(), small_tiling(), s);
    const SolveReport expected = once.solve(small_source(), until(0, 11));
    TiledSolve first(small_wilson(), halves, s, linked), second(small_wilson(), halves, s, linked);
    first.set_source(small_source());
    second.set_source(small_source());
    first.parts().run(until(0, 4));
    second.parts().put(first.parts().state());
    CHECK(second.parts().go_on(until(0, 11)).history == expected.history);
    second.parts().finish();
    CHECK(second.digest() == once.digest());
}

TEST_CASE("state: of another method, precision or lattice is refused", "[solver]")
{
    use_workers({.cpu = 1});
    const Setting s{Method::cr, true, Precision::f64};
    TiledSolve problem(small_wilson(), small_tiling(), s);
    problem.set_source(small_source());
    problem.parts().run(until(0, 2));
    const State state = problem.parts().state();
    const auto put_in = [&](const Setting& other) {
        TiledSolve(small_wilson(), small_tiling(), other).parts().put(state);
    };
    CHECK_THROWS_AS(put_in({Method::cg, true, Precision::f64}), Error);
    CHECK_THROWS_AS(put_in({Method::cr, true, Precision::f32}), Error);
    CHECK_THROWS_AS(put_in({Method::cr, false, Precision::f64}), Error);
    CHECK_NOTHROW(put_in(s));
    State fewer = state;
    fewer.scalars.pop_back();
    CHECK_THROWS_AS(problem.parts().put(fewer), Error);
    ref::Wilson larger = small_wilson();
    larger.lattice = {4, 4, 4, 8};
    larger.links = in_single(ref::gen_gauge(larger.lattice, 7, 1));
    TiledSolve elsewhere(larger, Tiling(larger.lattice, Extents{1, 1, 1, 1}), s);
    CHECK_THROWS_AS(elsewhere.parts().put(state), Error);
}
