// Iterations in single precision or in 16 bits, the residual in double.

#include "tests/solver/tiled_solve.hpp"

#include <tuple>

using namespace qcd;
using namespace qcd::test;

namespace
{

Setting mixed_setting()
{
    Setting s;
    std::tie(s.method, s.sloppy) = GENERATE(table<Method, Precision>({
        {Method::cr, Precision::f32},
        {Method::cr, Precision::f16},
        {Method::cg, Precision::f32},
        {Method::cg, Precision::f16},
        {Method::bicgstab, Precision::f32},
        {Method::bicgstab, Precision::f16},
        {Method::gcr, Precision::f32}, // which has no 16 bits
    }));
    s.even_odd = GENERATE(true, false);
    return s;
}

Tiling one_tile() { return Tiling(small_lattice(), Extents{1, 1, 1, 1}); }

void check_same_solve(const SolveReport& report, const SolveReport& expected)
{
    CHECK(report.history == expected.history);
    CHECK(report.iterations == expected.iterations);
    CHECK(report.residual == expected.residual);
    CHECK(report.operator_applications == expected.operator_applications);
    REQUIRE(report.updates.size() == expected.updates.size());
    for (std::size_t i = 0; i < report.updates.size(); ++i) {
        CHECK(report.updates[i].iteration == expected.updates[i].iteration);
        CHECK(report.updates[i].residual == expected.updates[i].residual);
    }
}

} // namespace

TEST_CASE("mixed: iterations in lower precision reach the residual of double", "[solver]")
{
    use_workers({.cpu = 1});
    const Setting s = mixed_setting();
    const double tol = GENERATE(1e-10, 1e-13);
    INFO(name_of(s) << " to " << tol);
    Setting in_double = s;
    in_double.sloppy.reset();
    TiledSolve plain(small_wilson(), small_tiling(), in_double),
        mixed(small_wilson(), small_tiling(), s);
    const SolveReport expected = plain.solve(small_source(), until(tol)),
                      report = mixed.solve(small_source(), until(tol));
    INFO(report.iterations << " iterations, " << expected.iterations << " in double");
    CHECK(report.converged);
    CHECK(!report.single_iterations);
    CHECK(!report.double_iterations);
    CHECK(mixed.true_residual() <= 4 * tol); // of all sites
    CHECK(report.residual <= tol);
    CHECK(report.updates.size() >= 4);
    CHECK(report.updates.back().residual == report.residual);
    CHECK(report.updates.back().iteration == report.iterations);
    CHECK(int(report.history.size()) == report.iterations + 1);
    CHECK(report.iterations <= expected.iterations * 3 / 2);
    CHECK(std::sqrt(ref::norm2(ref::combine(1, mixed.x(), -1, plain.x())) /
                    ref::norm2(plain.x())) <= 100 * tol);
}

TEST_CASE("mixed: the bits depend neither on tiles, nor on the plan and its late look", "[solver]")
{
    use_workers({.cpu = 1});
    const Setting s = mixed_setting();
    INFO(name_of(s));
    TiledSolve once(small_wilson(), small_tiling(), s);
    const SolveReport expected = once.solve(small_source(), until(1e-11));
    REQUIRE(expected.converged);
    for (const int iterations : {1, 3, 32}) {
        INFO("batches of " << iterations);
        TiledSolve batch(small_wilson(), one_tile(), s,
                         {.kind = PlanKind::batch, .iterations = iterations});
        check_same_solve(batch.solve(small_source(), until(1e-11)), expected);
        CHECK(batch.digest() == once.digest());
    }
    // Again, on the same data.
    check_same_solve(once.solve(small_source(), until(1e-11)), expected);
}

TEST_CASE("mixed: begins with a guess, ends after the most iterations", "[solver]")
{
    use_workers({.cpu = 1});
    const Setting s = mixed_setting();
    INFO(name_of(s));
    TiledSolve solve(small_wilson(), small_tiling(), s);
    const SolveReport some = solve.solve(small_source(), until(1e-10, 5));
    CHECK(some.iterations == 5);
    CHECK(!some.converged);
    CHECK(some.residual < 1);
    const SolveReport rest = solve.solve(small_source(), until(1e-10), Guess::x);
    CHECK(rest.converged);
    CHECK(rest.history.front() == Approx(some.residual));
    CHECK(solve.true_residual() <= 4e-10);
    const SolveReport none = solve.solve(small_source(), until(1e-9), Guess::x);
    CHECK(none.iterations == 0);
    CHECK(none.converged);
    // b = 0 has x = 0
    const ref::Spinors zero(small_source().size());
    CHECK(solve.solve(zero, until(1e-10)).iterations == 0);
}

TEST_CASE("mixed: exactly as many iterations as asked for", "[solver]")
{
    use_workers({.cpu = 1});
    const Setting s = mixed_setting();
    INFO(name_of(s));
    TiledSolve solve(small_wilson(), small_tiling(), s);
    CHECK(solve.solve(small_source(), until(0, 7)).iterations == 7);
}

TEST_CASE("mixed: where 16 bits have nothing to give, single goes on", "[solver]")
{
    use_workers({.cpu = 1});
    Setting s;
    s.method = GENERATE(Method::cr, Method::cg, Method::bicgstab);
    s.sloppy = Precision::f16;
    s.drop = 1e-5; // more than 16 bits can in one go
    INFO(name_of(s));
    TiledSolve solve(small_wilson(), small_tiling(), s);
    // b - A x is of numbers that 16 bits do not hold: they end at once.
    ref::Spinors huge = small_source();
    for (ref::Complex& z : huge) z *= 0x1p122;
    solve.set_source(small_source());
    solve.parts().set_guess(ref::ArraySource(small_lattice(), huge));
    const SolveReport report = solve.parts().solve(until(1e-10), Guess::x).front();
    CHECK(report.converged);
    CHECK(report.single_iterations == report.iterations - report.double_iterations.value_or(0));
    CHECK(solve.true_residual() <= 1.0001e-10);
}

TEST_CASE("mixed: in 16 bits the bits are the same with links of 12 reals on all workers",
          "[solver][long]")
{
    Setting s;
    s.method = GENERATE(Method::cr, Method::cg, Method::bicgstab);
    s.sloppy = Precision::f16;
    s.links = GENERATE(LinkStorage::full, LinkStorage::two_rows);
    const double csw = GENERATE(0.0, 1.0);
    INFO(name_of(s) << ", csw " << csw);
    std::optional<std::uint64_t> digest;
    for (const Workers& w : all_workers()) {
        INFO(name_of(w));
        use_workers(w);
        TiledSolve solve(small_unitary_wilson(csw), small_tiling(), s);
        const SolveReport report = solve.solve(small_source(), until(1e-11));
        CHECK(report.converged);
        if (!digest) digest = solve.digest();
        CHECK(solve.digest() == *digest);
    }
}

TEST_CASE("mixed: where single has nothing to give, double goes on", "[solver][long]")
{
    use_workers({.cpu = 1});
    Setting s = mixed_setting();
    s.drop = 1e-5; // more than it can in one go: the residual drifts away
    INFO(name_of(s));
    // Links that single does not hold: A in single is another matrix.
    const ref::Wilson w = small_unitary_wilson();
    TiledSolve solve(w, small_tiling(), s);
    const SolveReport report = solve.solve(small_source(), until(1e-12));
    CHECK(report.converged);
    CHECK(solve.true_residual() <= 4e-12);
}
