// A solve in parts: its state, read out and put back.

#include "base/error.hpp"
#include "solver/checkpoints.hpp"
#include "tests/solver/tiled_solve.hpp"

#include <cstring>
#include <optional>
#include <utility>

using namespace qcd;
using namespace qcd::test;

namespace
{

Plan graph_plan() { return {}; }
Plan batch_plan() { return {.kind = PlanKind::batch, .iterations = 3}; }

Tiling other_tiling() { return Tiling(small_lattice(), {{{4}, {4, 2}, {2}, {2, 6}}}); }

bool either() { return GENERATE(false, true); }

/// A solve, and two more of it, on other tiles and by another plan, between which it moves.
struct Moved {
    const Setting s = any_setting();
    const bool from_batch = either();
    const SolveControl whole = until(s.precision == Precision::f64 ? 1e-8 : 1e-4);
    TiledSolve once{small_wilson(), small_tiling(), s};
    const SolveReport expected = once.solve(small_source(), whole);
    TiledSolve first{small_wilson(), small_tiling(), s, from_batch ? batch_plan() : graph_plan()};
    TiledSolve second{small_wilson(), other_tiling(), s, from_batch ? graph_plan() : batch_plan()};

    std::string name() const { return name_of(s) + (from_batch ? ", from batch" : ", from graph"); }
};

/// Pauses at multiples of a number and keeps each state.
struct KeptStates : Checkpoints {
    explicit KeptStates(int n) : every(n) {}
    int pause_in(int begin, int end) override
    {
        const int next = (begin / every + 1) * every;
        return next <= end ? next : 0;
    }
    void take(int iterations, const std::function<std::vector<State>()>& all) override
    {
        states.push_back(all().front());
        CHECK(states.back().iterations() == iterations);
    }
    int every;
    std::vector<State> states;
};

/// The state of a solve of small_source() which ends after so many iterations, without a solution.
State state_after(TiledSolve& problem, SolveControl control)
{
    KeptStates kept(1000000);
    control.checkpoints = &kept;
    const SolveReport report = problem.solve(small_source(), control);
    CHECK_FALSE(report.converged);
    REQUIRE(kept.states.size() == 1);
    return kept.states.front();
}

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
    Moved m;
    INFO(m.name());
    auto& [s, from_batch, whole, once, expected, first, second] = m;
    REQUIRE(expected.converged);
    second.set_source(small_source());
    for (const int n : {1, 2, 3}) { // x lacks a step after odd ones
        INFO("after " << n);
        const State state = state_after(first, until(whole.tol, n));
        CHECK(state.iterations() == n);
        check_same(second.resume(state, whole), expected);
        CHECK(second.digest() == once.digest());
    }
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
    TiledSolve second(small_wilson(), other_tiling(), s);
    second.set_source(small_source());
    const SolveReport report = second.resume(state_after(first, control), until(0, 20));
    CHECK(report.history == expected.history);
    CHECK_FALSE(report.interrupted);
    CHECK(second.digest() == once.digest());
}

TEST_CASE("state: between linked workers and others", "[solver]")
{
    if (cores() < 2) return;
    use_workers({.cpu = 2});
    const Setting s{GENERATE(Method::cr, Method::cg, Method::bicgstab, Method::gcr), true,
                    Precision::f64};
    INFO(name_of(s));
    const Plan linked{.kind = PlanKind::linked, .iterations = 3, .owners = {0, 1}};
    const Tiling halves(small_lattice(), Extents{1, 1, 1, 2});
    TiledSolve once(small_wilson(), small_tiling(), s);
    const SolveReport expected = once.solve(small_source(), until(0, 11));
    TiledSolve first(small_wilson(), halves, s, linked), second(small_wilson(), halves, s, linked);
    second.set_source(small_source());
    const State state = state_after(first, until(0, 4));
    CHECK(second.resume(state, until(0, 11)).history == expected.history);
    CHECK(second.digest() == once.digest());
}

TEST_CASE("state: of another method, precision or lattice is refused", "[solver]")
{
    use_workers({.cpu = 1});
    const Setting s{Method::cr, true, Precision::f64};
    TiledSolve problem(small_wilson(), small_tiling(), s);
    const State state = state_after(problem, until(0, 2));
    const auto put_in = [&](const Setting& other) {
        TiledSolve(small_wilson(), small_tiling(), other).resume(state, until(0, 3));
    };
    CHECK_THROWS_AS(put_in({Method::cg, true, Precision::f64}), Error);
    CHECK_THROWS_AS(put_in({Method::cr, true, Precision::f32}), Error);
    CHECK_THROWS_AS(put_in({Method::cr, false, Precision::f64}), Error);
    CHECK_NOTHROW(put_in(s));
    State fewer = state;
    fewer.scalars.pop_back();
    CHECK_THROWS_AS(problem.resume(fewer, until(0, 3)), Error);
    CHECK_THROWS_WITH(problem.parts().resume({state, state}, until(0, 3)),
                      "the state of a solve is of 2 right-hand sides, not of 1");
    ref::Wilson larger = small_wilson();
    larger.lattice = {4, 4, 4, 8};
    larger.links = in_single(ref::gen_gauge(larger.lattice, 7, 1));
    TiledSolve elsewhere(larger, Tiling(larger.lattice, Extents{1, 1, 1, 1}), s);
    CHECK_THROWS_AS(elsewhere.resume(state, until(0, 3)), Error);
}

namespace
{

void check_checkpoints(TiledSolve& pausing, TiledSolve& elsewhere, const ref::Spinors& b,
                       const SolveControl& whole, const SolveReport& expected, std::uint64_t digest)
{
    KeptStates kept(2);
    SolveControl control = whole;
    control.checkpoints = &kept;
    const SolveReport paused = pausing.solve(b, control);
    check_same(paused, expected);
    CHECK(paused.cg_iterations == expected.cg_iterations);
    CHECK(pausing.digest() == digest);
    REQUIRE(int(kept.states.size()) >= (expected.iterations - 1) / 2 - 1);
    elsewhere.set_source(b);
    int before = 0;
    for (const State& state : kept.states) {
        INFO("from iteration " << state.iterations());
        CHECK(state.iterations() % 2 == 0);
        CHECK(state.iterations() > before);
        before = state.iterations();
        const SolveReport resumed = elsewhere.resume(state, whole);
        check_same(resumed, expected);
        CHECK(resumed.cg_iterations == expected.cg_iterations);
        CHECK(elsewhere.digest() == digest);
    }
}

} // namespace

TEST_CASE("checkpoints: a solve that pauses, and one resumed from each, are as one that does not",
          "[solver][long]")
{
    use_workers({.cpu = 1});
    Moved m;
    INFO(m.name());
    auto& [s, from_batch, whole, once, expected, first, second] = m;
    check_checkpoints(first, second, small_source(), whole, expected, once.digest());
}

namespace
{

ref::Spinors mixed_source(double share)
{
    return ref::combine(1, ref::det_spinor(small_lattice(), 1), share,
                        ref::det_spinor(small_lattice(), 2));
}

/// (r|Ar) of CR in its last iteration, of so many.
double last_rho(TiledSolve& problem, double share, int iterations)
{
    KeptStates kept(1000000);
    SolveControl control = until(0, iterations);
    control.checkpoints = &kept;
    problem.solve(mixed_source(share), control);
    if (kept.states.empty()) return 0; // it has broken down
    const State& state = kept.states.front();
    cr_scalars c;
    REQUIRE(state.scalars.size() * sizeof(double) == sizeof c);
    std::memcpy(&c, state.scalars.data(), sizeof c);
    return c.rho.re;
}

/// One of which CR breaks down after so many steps: there the next (r|Ar) changes sign, and the one
/// before it does not. None: not found.
std::optional<ref::Spinors> breaking_source(TiledSolve& problem, int steps)
{
    const auto other_sign = [&](double share) {
        return last_rho(problem, share, steps + 1) / last_rho(problem, share, steps) < 0;
    };
    double low = -4, high = low;
    const bool at_first = other_sign(low);
    while (high < 4 && other_sign(high) == at_first) low = std::exchange(high, high + 0.5);
    if (high >= 4) return std::nullopt;
    for (int i = 0; i < 50; ++i) {
        const double middle = (low + high) / 2;
        (other_sign(middle) == at_first ? low : high) = middle;
    }
    return mixed_source(low);
}

} // namespace

TEST_CASE("checkpoints: of CG that goes on where CR breaks down", "[solver]")
{
    use_workers({.cpu = 1});
    const Setting s{Method::cr, GENERATE(true, false), Precision::f64};
    const SolveControl whole = until(1e-12); // CR wants many digits of a step
    TiledSolve once(small_wilson(), small_tiling(), s), first(small_wilson(), small_tiling(), s),
        second(small_wilson(), other_tiling(), s, batch_plan());
    int steps = 1;
    std::optional<ref::Spinors> b;
    while (steps < 8 && !(b = breaking_source(once, steps))) ++steps;
    REQUIRE(b);
    const SolveReport expected = once.solve(*b, whole);
    INFO(name_of(s) << ", CR breaks down after " << steps << " at the latest");
    REQUIRE(expected.cg_iterations > 4);
    CHECK(expected.iterations > *expected.cg_iterations);
    check_checkpoints(first, second, *b, whole, expected, once.digest());
}

TEST_CASE("checkpoints: of linked workers, for others and back", "[solver]")
{
    if (cores() < 2) return;
    use_workers({.cpu = 2});
    const Setting s{GENERATE(Method::cr, Method::cg, Method::bicgstab, Method::gcr), true,
                    Precision::f64};
    INFO(name_of(s));
    const Plan plan{.kind = PlanKind::linked, .iterations = 3, .owners = {0, 1}};
    const Tiling halves(small_lattice(), Extents{1, 1, 1, 2});
    const SolveControl whole = until(1e-8);
    TiledSolve once(small_wilson(), small_tiling(), s);
    const SolveReport expected = once.solve(small_source(), whole);
    TiledSolve linked(small_wilson(), halves, s, plan), other(small_wilson(), other_tiling(), s);
    check_checkpoints(linked, other, small_source(), whole, expected, once.digest());
    check_checkpoints(other, linked, small_source(), whole, expected, once.digest());
}

TEST_CASE("checkpoints: a solve that is stopped, or comes to its limit, leaves one", "[solver]")
{
    use_workers({.cpu = 1});
    const Setting s = any_setting();
    INFO(name_of(s));
    TiledSolve once(small_wilson(), small_tiling(), s), again(small_wilson(), other_tiling(), s);
    const SolveReport expected = once.solve(small_source(), until(0, 20));
    KeptStates kept(1000);
    SolveControl control = until(0, 6);
    control.checkpoints = &kept;
    again.solve(small_source(), control);
    REQUIRE(kept.states.size() == 1);
    CHECK(kept.states.front().iterations() == 6);
    check_same(again.resume(kept.states.front(), until(0, 20)), expected);
    CHECK(again.digest() == once.digest());

    std::atomic<bool> stop{false};
    control = until(0, 20);
    control.checkpoints = &kept;
    control.stop = &stop;
    control.progress = [&](int iteration, double) { stop = stop || iteration == 5; };
    CHECK(again.solve(small_source(), control).interrupted);
    REQUIRE(kept.states.size() == 2);
    CHECK(kept.states.back().iterations() >= 5);
    check_same(again.resume(kept.states.back(), until(0, 20)), expected);
    CHECK(again.digest() == once.digest());
    // Before the first iteration there is nothing to keep.
    CHECK(again.solve(small_source(), control).iterations == 0);
    CHECK(kept.states.size() == 2);
}
