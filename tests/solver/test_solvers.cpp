// The methods on a small lattice: right answers by the plain reference, and the ends that a solve
// can take.

#include "base/error.hpp"
#include "tests/reference/solvers.hpp"
#include "tests/solver/tiled_solve.hpp"

using namespace qcd;
using namespace qcd::test;

TEST_CASE("solve: |b - D x| recomputed by the reference in double", "[solver]")
{
    const Workers workers = any_workers();
    INFO(name_of(workers));
    const Setting s = any_setting();
    INFO(name_of(s));
    if (!s.even_odd && workers.opencl + workers.cuda > 0) return; // long on devices, and same bits
    TiledSolve problem(small_wilson(), small_tiling(), s);
    const bool f64 = s.precision == Precision::f64;
    const SolveReport report = problem.solve(small_source(), until(f64 ? 1e-10 : 1e-5));
    CHECK(report.converged);
    CHECK_FALSE(report.breakdown);
    CHECK(report.residual <= (f64 ? 1e-10 : 1e-5));
    // Even-odd watches the even sites alone. In single, CR's A p and its x drift apart: up to 24
    // times seen.
    CHECK(problem.true_residual() <= (f64 ? 1.0001e-10 : s.method == Method::cr ? 1e-4 : 2e-5));
    const SolutionSums verified = problem.verified();
    CHECK(verified.residual == Approx(problem.true_residual()).epsilon(1e-4));
    CHECK(verified.heavy_quark == Approx(problem.heavy_quark_residual()).epsilon(1e-4));
}

TEST_CASE("solve: with links of 12 and 8 reals the same solution", "[solver]")
{
    const Workers workers = any_workers();
    INFO(name_of(workers));
    Setting s;
    s.precision = any_precision();
    s.links = GENERATE(LinkStorage::two_rows, LinkStorage::minimal);
    INFO(name_of(s));
    const bool f64 = s.precision == Precision::f64;
    // Long on devices: each sees one of two.
    if (workers.opencl + workers.cuda > 0 && f64 != (s.links == LinkStorage::two_rows)) return;
    TiledSolve problem(small_unitary_wilson(), small_tiling(), s);
    CHECK(problem.solve(small_source(), until(f64 ? 1e-10 : 1e-5)).converged);
    // The plain loops on all 18 reals
    CHECK(problem.true_residual() <= (f64 ? 1.0001e-10 : 1e-4));
}

TEST_CASE("solve: twisted mass", "[solver]")
{
    use_workers({.cpu = 1});
    const Setting s = any_setting();
    INFO(name_of(s));
    const double mubar = GENERATE(0.05, -0.4);
    if (s.method == Method::cr && s.even_odd) return; // refused: see below
    TiledSolve problem(small_wilson(mubar), small_tiling(), s);
    const bool f64 = s.precision == Precision::f64;
    CHECK(problem.solve(small_source(), until(f64 ? 1e-10 : 1e-5)).converged);
    CHECK(problem.true_residual() <= (f64 ? 1.0001e-10 : 2e-5));
}

TEST_CASE("solve: clover term, twisted or not, every method and storage of links", "[solver]")
{
    use_workers({.cpu = 1});
    Setting s = any_setting();
    const double mubar = GENERATE(0.0, 0.1);
    if (s.method == Method::cr && s.even_odd && mubar != 0) return; // refused: see below
    s.links = mubar != 0   ? LinkStorage::full
              : s.even_odd ? LinkStorage::two_rows
                           : LinkStorage::minimal;
    INFO(name_of(s) << ", mubar " << mubar);
    ref::Wilson w = small_unitary_wilson(1.4);
    w.mubar = mubar;
    TiledSolve problem(w, small_tiling(), s);
    const bool f64 = s.precision == Precision::f64;
    CHECK(problem.solve(small_source(), until(f64 ? 1e-10 : 1e-5)).converged);
    CHECK(problem.true_residual() <= (f64 ? 1.0001e-10 : 1e-4));
    CHECK(problem.verified().residual <= (f64 ? 1.0001e-10 : 2e-5));
    TiledSolve without(small_unitary_wilson(), small_tiling(), s);
    without.solve(small_source(), until(f64 ? 1e-10 : 1e-5));
    CHECK(without.digest() != problem.digest());
}

TEST_CASE("solve: a clover term that is too large for the numbers is refused", "[solver]")
{
    use_workers({.cpu = 1});
    for (const auto& [precision, csw] : {std::pair{Precision::f64, 1e200}, {Precision::f32, 1e40}})
        CHECK_THROWS_WITH(
            TiledSolve(small_wilson(0.1, csw), small_tiling(), {Method::cg, true, precision}),
            Catch::Contains("clover term: at site") && Catch::Contains("smaller csw"));
}

TEST_CASE("solve: same iterations and residuals as the textbook method", "[solver][long]")
{
    use_workers({.cpu = 1});
    const bool even_odd = GENERATE(true, false), cg = GENERATE(true, false);
    const double mubar = GENERATE(0.0, 0.3), csw = GENERATE(0.0, 1.4);
    if (!cg && even_odd && mubar != 0) return;
    INFO((cg ? "cg" : "cr") << (even_odd ? ", even-odd" : "") << ", mubar " << mubar << ", csw "
                            << csw);
    const ref::Wilson w = small_wilson(mubar, csw);
    const ref::Spinors b = even_odd ? ref::even_source(w, small_source()) : small_source();
    const auto A = [&](const ref::Spinors& v) {
        return even_odd ? ref::dirac_even(w, v) : ref::dirac(w, v);
    };
    const auto A_dagger = [&](const ref::Spinors& v) {
        return even_odd ? ref::dirac_even_dagger(w, v) : ref::dirac_dagger(w, v);
    };
    const auto Q = [&](const ref::Spinors& v) { return ref::gamma5(A(v)); };
    const ref::Solution expected =
        cg ? ref::cg_normal(A, A_dagger, b, 1e-10, 1000, ref::Watch::original)
           : ref::conjugate_residual(Q, ref::gamma5(b), 1e-10, 1000);
    TiledSolve problem(w, small_tiling(), {cg ? Method::cg : Method::cr, even_odd, Precision::f64});
    const SolveReport report = problem.solve(small_source(), until(1e-10));
    CHECK(std::abs(report.iterations - expected.iterations) <= 1);
    REQUIRE(report.history.size() == std::size_t(report.iterations) + 1);
    for (int k = 0; k <= 8; ++k)
        CHECK(report.history[k] == Approx(expected.history[k]).epsilon(1e-8));
    CHECK(report.operator_applications == (cg ? 2 * report.iterations + 1 : report.iterations + 1));
}

TEST_CASE("solve: b = 0 takes no iteration", "[solver]")
{
    use_workers({.cpu = 1});
    const Setting s = any_setting();
    INFO(name_of(s));
    TiledSolve problem(small_wilson(), small_tiling(), s);
    const SolveReport report =
        problem.solve(ref::Spinors(12 * volume(small_lattice())), until(s.even_odd ? 1e-10 : 0.0));
    CHECK(report.iterations == 0);
    CHECK(report.converged);
    CHECK(report.residual == 0);
    CHECK(ref::norm2(problem.x()) == 0);
}

TEST_CASE("solve: a tolerance that x = 0 fulfils takes no iteration", "[solver]")
{
    use_workers({.cpu = 1});
    const Setting s = any_setting();
    INFO(name_of(s));
    TiledSolve problem(small_wilson(), small_tiling(), s);
    const SolveReport report = problem.solve(small_source(), until(1.0));
    CHECK(report.iterations == 0);
    CHECK(report.converged);
    CHECK(report.history == std::vector{1.0});
}

TEST_CASE("solve: what one solve leaves, a second one corrects", "[solver]")
{
    use_workers({.cpu = 1});
    const Setting s = any_setting();
    INFO(name_of(s));
    const ref::Wilson w = small_wilson();
    const ref::Spinors b = small_source();
    const auto left = [&](const ref::Spinors& x) {
        return ref::combine(1, b, -1, ref::dirac(w, x));
    };
    TiledSolve problem(w, small_tiling(), s);
    problem.solve(b, until(1e-4));
    const ref::Spinors x = problem.x();
    problem.solve(left(x), until(1e-4)); // small numbers, of no pattern
    const double size = std::sqrt(ref::norm2(left(x)) / ref::norm2(b));
    CHECK(size > 1e-6);
    CHECK(std::sqrt(ref::norm2(left(ref::combine(1, x, 1, problem.x()))) / ref::norm2(b)) <
          3e-4 * size);
}

TEST_CASE("solve: a second solve with the same vectors is the first one again", "[solver]")
{
    use_workers({.cpu = 1});
    const Setting s = any_setting();
    INFO(name_of(s));
    TiledSolve problem(small_wilson(), small_tiling(), s);
    const SolveControl control = until(1e-5);
    const SolveReport first = problem.solve(small_source(), control);
    const std::uint64_t digest = problem.digest();
    problem.solve(ref::det_spinor(small_lattice(), 2), control);
    const SolveReport again = problem.solve(small_source(), control);
    CHECK(again.history == first.history);
    CHECK(problem.digest() == digest);
}

TEST_CASE("solve: exactly as many iterations as allowed", "[solver]")
{
    use_workers({.cpu = 1});
    const Setting s = any_setting();
    INFO(name_of(s));
    const ref::Wilson w = small_wilson();
    TiledSolve problem(w, small_tiling(), s);
    const ref::Spinors b = small_source(), b_even = s.even_odd ? ref::even_source(w, b) : b;
    // tol = 0 never converges; 1e-30 is a tolerance that is not reached either
    const double tol = s.even_odd ? 0.0 : 1e-30;
    const SolveReport ten = problem.solve(small_source(), until(tol, 10));
    CHECK(ten.iterations == 10);
    REQUIRE(ten.history.size() == 11);
    CHECK(ten.residual == ten.history.back());
    CHECK_FALSE(ten.converged);
    CHECK_FALSE(ten.breakdown);
    for (const int n : {0, 1, 3, 4}) { // around the number of iterations that run ahead
        const SolveReport report = problem.solve(small_source(), until(tol, n));
        CHECK(report.iterations == n);
        CHECK(report.history == std::vector(ten.history.begin(), ten.history.begin() + n + 1));
        if (n == 0)
            CHECK(std::sqrt(ref::norm2(ref::only_parity(small_lattice(), problem.x(), 0))) == 0);
        // x has all of these steps: what it leaves is what the iteration says.
        const ref::Spinors left = ref::combine(1, b, -1, ref::dirac(w, problem.x()));
        CHECK(std::sqrt(ref::norm2(left) / ref::norm2(b_even)) ==
              Approx(report.residual).epsilon(s.precision == Precision::f64 ? 1e-9 : 1e-3));
    }
}

TEST_CASE("solve: what was submitted ahead of convergence changes nothing", "[solver]")
{
    use_workers({.cpu = 1});
    const Setting s = any_setting();
    INFO(name_of(s));
    TiledSolve problem(small_wilson(), small_tiling(), s);
    const long before = problem.tasks();
    const SolveReport late = problem.solve(small_source(), until(1e-4));
    const long with_those_ahead = problem.tasks() - before;
    const std::uint64_t digest = problem.digest();
    REQUIRE(late.converged);
    // The same number of iterations, none of them ahead.
    const SolveReport exact = problem.solve(small_source(), until(0, late.iterations));
    CHECK(exact.history == late.history);
    CHECK(problem.digest() == digest);
    const long exactly = problem.tasks() - before - with_those_ahead;
    CHECK(with_those_ahead - exactly > exactly / (late.iterations + 1));
}

TEST_CASE("solve: progress is reported once for each iteration, in order", "[solver]")
{
    use_workers({.cpu = 1});
    const Setting s = any_setting();
    INFO(name_of(s));
    TiledSolve problem(small_wilson(), small_tiling(), s);
    std::vector<double> seen;
    SolveControl control = until(1e-4);
    control.progress = [&](int iteration, double residual) {
        CHECK(iteration == int(seen.size()));
        seen.push_back(residual);
    };
    CHECK(problem.solve(small_source(), control).history == seen);
}

namespace
{

/// 1: a task for each operation.
Plan batches_of(int iterations)
{
    return {.kind = iterations > 1 ? PlanKind::batch : PlanKind::graph, .iterations = iterations};
}

} // namespace

TEST_CASE("solve: a stop from outside leaves the x so far", "[solver]")
{
    use_workers({.cpu = 1});
    const Setting s = any_setting();
    INFO(name_of(s));
    TiledSolve problem(small_wilson(), small_tiling(), s, batches_of(GENERATE(1, 3)));
    std::atomic<bool> stop{false};
    SolveControl control = until(0, 1000000);
    control.stop = &stop;
    control.progress = [&](int iteration, double) { stop = stop || iteration == 5; };
    const SolveReport report = problem.solve(small_source(), control);
    CHECK(report.interrupted);
    CHECK_FALSE(report.converged);
    CHECK(report.iterations >= 5);
    CHECK(report.iterations < 20);
    CHECK(report.history.size() == std::size_t(report.iterations) + 1);
    const std::uint64_t digest = problem.digest();
    problem.solve(small_source(), until(0, report.iterations));
    CHECK(problem.digest() == digest);
}

namespace
{

/// Several iterations in one task change nothing but the number of tasks.
void check_batches_of(Method method)
{
    const Workers workers = any_workers();
    INFO(name_of(workers));
    const Setting s = any_setting(method);
    INFO(name_of(s));
    const bool cores = workers.opencl + workers.cuda == 0; // long on devices, and same bits
    if (!cores && s.even_odd) return;
    // Ten iterations are no multiple of a batch of 3 or 8; the other solve converges on the way.
    for (const SolveControl& control : {until(0, 10), until(1e-4)}) {
        SolveReport expected;
        std::uint64_t digest = 0;
        long tasks = 0;
        for (const int batch : {1, 2, 3, 8, max_batch}) {
            if (!cores && (batch == 2 || batch == 8)) continue;
            INFO("batch " << batch);
            TiledSolve problem(small_wilson(), small_tiling(), s, batches_of(batch));
            const long before = problem.tasks();
            const SolveReport report = problem.solve(small_source(), control);
            const long used = problem.tasks() - before;
            if (batch == 1) {
                expected = report;
                digest = problem.digest();
                tasks = used;
                continue;
            }
            CHECK(report.history == expected.history);
            CHECK(report.iterations == expected.iterations);
            CHECK(report.converged == expected.converged);
            CHECK(report.operator_applications == expected.operator_applications);
            CHECK(problem.digest() == digest);
            CHECK(used < tasks / 2);
        }
    }
}

} // namespace

// Apart, because they take long: under a sanitizer (scripts/gpu-sanitize) each is a run of its own.
TEST_CASE("solve: several iterations in one task: CR", "[solver]") { check_batches_of(Method::cr); }
TEST_CASE("solve: several iterations in one task: CG", "[solver]") { check_batches_of(Method::cg); }
TEST_CASE("solve: several iterations in one task: BiCGstab", "[solver]")
{
    check_batches_of(Method::bicgstab);
}

TEST_CASE("solve: D = 1 is solved in one iteration", "[solver]")
{
    use_workers({.cpu = 1});
    const Setting s = any_setting();
    INFO(name_of(s));
    ref::Wilson w = small_wilson();
    w.kappa = 0;
    TiledSolve problem(w, small_tiling(), s);
    // CR sees gamma5, with eigenvalues 1 and -1 and a small (b|gamma5 b), by which rounding is
    // divided.
    const double tol = 1e4 * epsilon(s.precision);
    const SolveReport report = problem.solve(small_source(), until(tol));
    CHECK(report.iterations <= (s.method == Method::cr ? 2 : 1));
    CHECK(report.converged);
    CHECK(ref::distance(problem.x(), small_source()) <=
          (s.method == Method::cr ? tol : epsilon(s.precision)));
}

TEST_CASE("solve: a breakdown is reported, not hidden", "[solver]")
{
    use_workers({.cpu = 1});
    // kappa = 0 and a source with as much of gamma5 = +1 as of -1: (r|gamma5 r) = 0 for CR.
    ref::Wilson w = small_wilson();
    w.kappa = 0;
    ref::Spinors b(12 * volume(small_lattice()));
    for (std::size_t k = 0; k < b.size(); ++k) b[k] = k % 12 < 6 ? 1 : -1;
    const bool even_odd = GENERATE(true, false);
    TiledSolve problem(w, small_tiling(), {Method::cr, even_odd, Precision::f64});
    const SolveReport report = problem.solve(b, until(0, 50));
    CHECK(report.breakdown);
    CHECK_FALSE(report.converged);
    CHECK(report.iterations == 0);
    CHECK(report.residual == 1);
    // With a tolerance CG goes on.
    std::vector<std::pair<int, double>> seen;
    SolveControl control = until(1e-10, 50);
    control.progress = [&](int iteration, double r) { seen.emplace_back(iteration, r); };
    const SolveReport solved = problem.solve(b, control);
    CHECK_FALSE(solved.breakdown);
    CHECK(solved.converged);
    CHECK(solved.iterations == 1);
    CHECK(solved.cg_iterations == 1);
    CHECK(solved.operator_applications == 1 + 3); // CR's and CG's: x was still 0
    CHECK(solved.residual <= 1e-10);
    CHECK(solved.history == std::vector{1.0, solved.residual});
    CHECK(seen == std::vector<std::pair<int, double>>{{0, 1.0}, {1, solved.residual}});
    CHECK(ref::distance(problem.x(), b) <= 1e-15);
}

TEST_CASE("solve: CR with a heavy quark and a point source, where (r|Ar) is next to nothing",
          "[solver][long]")
{
    use_workers({.cpu = cores()});
    const Coord at = GENERATE(Coord{1, 0, 0, 0}, Coord{0, 0, 0, 0});
    const double kappa = GENERATE(1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.12);
    const Setting s = any_setting(Method::cr);
    INFO(name_of(s) << ", kappa " << kappa << ", " << (at[0] ? "odd" : "even"));
    ref::Wilson w = small_wilson();
    w.lattice = {4, 4, 4, 4};
    w.links = in_single(ref::gen_gauge(w.lattice, 7, 0.2));
    w.kappa = kappa;
    ref::Spinors b(12 * volume(w.lattice));
    b[12 * at[0]] = 1;
    const double tol = s.precision == Precision::f64 ? 1e-10 : 1e-4;
    SolveReport expected;
    std::uint64_t digest = 0;
    double heavy_quark = 0;
    for (const Extents& tiles : {Extents{1, 1, 1, 1}, Extents{1, 2, 1, 2}})
        for (const int batch : {1, 3, max_batch}) {
            TiledSolve problem(w, Tiling(w.lattice, tiles), s, batches_of(batch));
            const SolveReport report = problem.solve(b, until(tol));
            CHECK(report.converged);
            CHECK(report.iterations < 200);
            CHECK(problem.true_residual() <= tol * (1 + 1e-5));
            if (digest == 0) {
                expected = report;
                digest = problem.digest();
                heavy_quark = problem.verified().heavy_quark;
                CHECK(problem.solve(b, until(tol)).history == report.history); // CR is there again
            }
            CHECK(report.history == expected.history);
            CHECK(report.cg_iterations == expected.cg_iterations);
            CHECK(problem.digest() == digest);
            CHECK(problem.verified().heavy_quark == heavy_quark);
        }
    if (at[0] == 1 && s.even_odd && kappa <= 1e-5) CHECK(expected.cg_iterations > 0);
    if (kappa == 0.12) CHECK_FALSE(expected.cg_iterations);
}

TEST_CASE("solve: CR refuses what its precondition excludes", "[solver]")
{
    use_workers({.cpu = 1});
    const ref::Wilson twisted = small_wilson(0.1);
    CHECK_THROWS_WITH(TiledSolve(twisted, small_tiling(), {Method::cr, true, Precision::f64}),
                      Catch::Contains("A - A^dagger") && Catch::Contains("--even-odd off"));
    CHECK_NOTHROW(TiledSolve(twisted, small_tiling(), {Method::cr, false, Precision::f64}));
    CHECK_NOTHROW(TiledSolve(twisted, small_tiling(), {Method::cg, true, Precision::f64}));
    CHECK_NOTHROW(TiledSolve(small_wilson(0), small_tiling(), {Method::cr, true, Precision::f64}));
    // D itself, without gamma5, is nobody's idea of Hermitian
    LatticeGraph graph(small_tiling());
    const auto gauge = gauge_of(graph, Precision::f64, twisted.links, true);
    const Wilson wilson(graph, *gauge, Precision::f64);
    CHECK_THROWS_AS(make_cr(DiracOperator(wilson, {0.1, 0}, Matrix::D)), Error);
}

TEST_CASE("bytes: a solve to a tolerance by CR may need what one by CG does", "[solver]")
{
    DiracProblem cr, cg;
    cg.method = Method::cg;
    cr.even_odd = cg.even_odd = GENERATE(true, false);
    const Tiling t = small_tiling();
    const std::size_t vector =
        SpinorField::bytes(t, cr.precision, cr.even_odd ? Sites::even : Sites::all);
    CHECK(DiracSolve::bytes(t, cr) == DiracSolve::bytes(t, cr, false) + vector);
    CHECK(DiracSolve::bytes(t, cr) == DiracSolve::bytes(t, cg));
    CHECK(DiracSolve::bytes(t, cg) == DiracSolve::bytes(t, cg, false));
    DiracProblem clover = cg;
    clover.dirac.csw = 1;
    // 72 reals a site, with even-odd once more on odd sites, are three spinors
    CHECK(DiracSolve::bytes(t, clover) ==
          DiracSolve::bytes(t, cg) +
              (cg.even_odd ? 9 : 6) * SpinorField::bytes(t, cg.precision, Sites::even));
}
