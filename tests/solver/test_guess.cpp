// Solves that begin with an x.

#include "tests/solver/tiled_solve.hpp"

using namespace qcd;
using namespace qcd::test;

namespace
{

double tolerance(const Setting& s) { return s.precision == Precision::f64 ? 1e-10 : 1e-5; }

} // namespace

TEST_CASE("guess: from the solution there are no iterations", "[solver]")
{
    use_workers({.cpu = 1});
    const Setting s = any_setting();
    INFO(name_of(s));
    TiledSolve problem(small_wilson(), small_tiling(), s);
    problem.solve(small_source(), until(tolerance(s)));
    const std::uint64_t digest = problem.digest();
    const SolveReport report = problem.solve(small_source(), until(10 * tolerance(s)), Guess::x);
    CHECK(report.iterations == 0);
    CHECK(report.converged);
    CHECK(report.history.size() == 1);
    CHECK(report.residual <= 10 * tolerance(s));
    CHECK(problem.digest() == digest);
}

TEST_CASE("guess: from half way the same residual is reached", "[solver]")
{
    use_workers({.cpu = 1});
    const Setting s = any_setting();
    INFO(name_of(s));
    const Plan plan = GENERATE(Plan{}, Plan{.kind = PlanKind::batch, .iterations = 3});
    TiledSolve problem(small_wilson(), small_tiling(), s, plan);
    const double tol = tolerance(s), half = std::sqrt(tol);
    const SolveReport whole = problem.solve(small_source(), until(tol));
    const SolveReport first = problem.solve(small_source(), until(half));
    const SolveReport rest = problem.solve(small_source(), until(tol), Guess::x);
    // Relative to the same |b|: the second begins where the first has ended.
    CHECK(rest.history.front() == Approx(first.residual).epsilon(1e-2));
    CHECK(rest.converged);
    CHECK(rest.residual <= tol);
    CHECK(rest.iterations > 0);
    CHECK(rest.iterations < whole.iterations);
    CHECK(problem.true_residual() <= tol * (1 + 1e-5));
}

TEST_CASE("guess: any x will do", "[solver]")
{
    use_workers({.cpu = 1});
    const Setting s = any_setting();
    INFO(name_of(s));
    TiledSolve problem(small_wilson(), small_tiling(), s);
    const ref::Spinors any = in_single(ref::det_spinor(small_lattice(), 5));
    problem.set_source(small_source());
    problem.parts().set_guess(ref::ArraySource(small_lattice(), any));
    const SolveReport report = problem.solve(small_source(), until(tolerance(s)), Guess::x);
    CHECK(report.converged);
    CHECK(report.history.front() > 1);
    CHECK(problem.true_residual() <= tolerance(s) * (1 + 1e-5));
    // x = 0 is the first guess that is taken where there is none.
    problem.parts().clear_x();
    const SolveReport zero = problem.solve(small_source(), until(0, 5), Guess::x);
    CHECK(zero.history == problem.solve(small_source(), until(0, 5)).history);
}
