// The ladder's CR: the reference's iterates by every version, and the ends that a solve can take.

#include "solver/ladder_cr.hpp"
#include "tests/reference/solvers.hpp"
#include "tests/solver/tiled_solve.hpp"
#include "tests/tasks/ladder.hpp"

using namespace qcd;
using namespace qcd::test;

namespace
{

/// A solve of the plain arrays of `w` by one version, on slabs.
class SolveOnSlabs
{
public:
    SolveOnSlabs(const ref::Wilson& w, const std::vector<int>& slabs, const LadderProblem& p,
                 Plan plan = {})
        : plain_(w), graph_(std::move(plan)), lattice_(graph_, w.lattice, slabs),
          gauge_(w.lattice, w.links), solve_(lattice_, p, gauge_)
    {
    }
    SolveReport solve(const ref::Spinors& b, const SolveControl& control)
    {
        b_ = b;
        solve_.set_source(ref::ArraySource(plain_.lattice, b));
        return solve_.solve(control);
    }
    ref::Spinors x() const { return values(solve_.x()); }
    double residual() { return solve_.residual(); }
    double true_residual() const
    {
        return std::sqrt(ref::norm2(ref::combine(1, b_, -1, ref::dirac(plain_, x()))) /
                         ref::norm2(b_));
    }

private:
    ref::Wilson plain_;
    ref::Spinors b_;
    Graph graph_;
    LadderLattice lattice_;
    ref::ArrayGauge gauge_;
    LadderSolve solve_;
};

LadderProblem problem_of(const ref::Wilson& w, const LadderVersion& v, int multiple = 16,
                         Precision precision = Precision::f64)
{
    return {.dirac = {w.kappa, w.mubar},
            .antiperiodic = w.antiperiodic,
            .precision = precision,
            .stencil = {v, multiple},
            .thread = v.has(QCD_LADDER_FINE) ? LadderThread::element : LadderThread::spinor};
}

ref::Solution by_reference(const ref::Wilson& w, const ref::Spinors& b, double tol, int most)
{
    return ref::conjugate_residual([&](const ref::Spinors& v) { return ref::hermitian(w, v); },
                                   ref::gamma5(b), tol, most);
}

} // namespace

TEST_CASE("ladder: 12 iterations of every version give the same solution", "[ladder][long]")
{
    const ref::Wilson w = small_wilson();
    const ref::Solution expected = by_reference(w, small_source(), 0, 12);
    for (const LadderVersion& v : ladder_versions) {
        std::vector<Workers> all = ladder_workers(v);
        if (v.on_devices && has_workers("cpu") && has_workers("opencl") && cores() > 1)
            all.push_back({.cpu = 1, .opencl = 1, .scheduler = "random"});
        for (const Workers& workers : all) {
            INFO(v.name << ", " << name_of(workers));
            use_workers(workers);
            for (const std::vector<int>& slabs : {std::vector<int>{8}, {3, 4, 1}}) {
                SolveOnSlabs problem(w, slabs, problem_of(w, v));
                const SolveReport report = problem.solve(small_source(), until(0, 12));
                CHECK(report.iterations == 12);
                CHECK(report.operator_applications == 13);
                REQUIRE(report.history.size() == expected.history.size());
                for (std::size_t i = 0; i < report.history.size(); ++i)
                    CHECK(report.history[i] == Approx(expected.history[i]).epsilon(1e-10));
                CHECK(relative_distance(problem.x(), expected.x) < 1e-11);
            }
        }
    }
}

TEST_CASE("ladder: a replayed solve has the bits of its schedule's graph", "[ladder]")
{
    const ref::Wilson w = small_wilson(0.1);
    const LadderVersion& v = ladder_version(GENERATE("1.2", "2.0"));
    std::vector<Workers> all = ladder_workers(v);
    const bool both = has_workers("cpu") && has_workers("opencl") && cores() > 1;
    if (both) all.push_back({.cpu = 1, .opencl = 1, .scheduler = "random"});
    for (const Workers& workers : all) {
        INFO(v.name << ", " << name_of(workers));
        use_workers(workers);
        const auto solve = [&](const Plan& plan, double tol) {
            auto problem =
                std::make_unique<SolveOnSlabs>(w, std::vector{5, 3}, problem_of(w, v), plan);
            const SolveReport report = problem->solve(small_source(), until(tol, 40));
            return std::pair(report, problem->x());
        };
        for (const double tol : {0., 1e-6}) {
            const Plan plan{
                .kind = PlanKind::replay, .iterations = 5, .schedules = make_schedules()};
            const auto [expected, x] = solve({}, tol);
            const auto [report, replayed] = solve(plan, tol);
            CHECK(report.iterations == expected.iterations);
            CHECK(plan.schedules->known().size() == 1);
            // Kinds of workers add in different orders, and a graph's tasks go to either.
            if (workers.cpu > 0 && workers.opencl > 0) {
                CHECK(relative_distance(replayed, x) < 1e-10);
                continue;
            }
            CHECK(report.history == expected.history);
            CHECK(replayed == x);
        }
    }
}

TEST_CASE("ladder: a solve repeated on one kind of worker has the same bits", "[ladder]")
{
    const ref::Wilson w = small_wilson(0.1);
    const LadderVersion& v = ladder_version(GENERATE("1.0", "1.2", "1.6.1", "2.0"));
    for (const Workers& workers : ladder_workers(v)) {
        INFO(v.name << ", " << name_of(workers));
        use_workers(workers);
        SolveOnSlabs problem(w, {5, 3}, problem_of(w, v));
        problem.solve(small_source(), until(0, 5));
        const ref::Spinors x = problem.x();
        problem.solve(small_source(), until(0, 5));
        CHECK(problem.x() == x);
    }
}

TEST_CASE("ladder: to a tolerance, in as many iterations as production's CR", "[ladder]")
{
    use_workers({.cpu = cores(), .scheduler = "lws"});
    const double mubar = GENERATE(0., 0.05);
    const Precision precision = any_precision();
    const bool f64 = precision == Precision::f64;
    const double tol = f64 ? 1e-10 : 1e-5;
    const ref::Wilson w = small_wilson(mubar);
    TiledSolve production(w, small_tiling(),
                          {.method = Method::cr, .even_odd = false, .precision = precision});
    const SolveReport usual = production.solve(small_source(), until(tol));
    REQUIRE(usual.converged);
    Plan pinned{.kind = PlanKind::pinned, .owners = std::vector<int>(cores())};
    starpu_worker_get_ids_by_type(STARPU_CPU_WORKER, pinned.owners.data(), cores());
    for (const Plan& plan : {Plan{}, pinned}) {
        INFO("plan " << to_string(plan.kind));
        SolveOnSlabs problem(w, {2, 3, 3}, problem_of(w, ladder_version("1.4"), 8, precision),
                             plan);
        const SolveReport report = problem.solve(small_source(), until(tol));
        CHECK(report.converged);
        CHECK(report.residual <= tol);
        CHECK(std::abs(report.iterations - usual.iterations) <= (f64 ? 2 : 4));
        CHECK(problem.true_residual() <= (f64 ? 2e-10 : 1e-4));
        CHECK(problem.residual() == Approx(problem.true_residual()).epsilon(f64 ? 1e-4 : 0.5));
    }
}

TEST_CASE("ladder: a source of zeros, no iteration, and a stop", "[ladder]")
{
    use_workers({.cpu = 1});
    const ref::Wilson w = small_wilson();
    SolveOnSlabs problem(w, {4, 4}, problem_of(w, ladder_version("1.5")));
    const ref::Spinors none(small_source().size());
    const SolveReport report = problem.solve(none, until(1e-10));
    CHECK(report.converged);
    CHECK(report.iterations == 0);
    CHECK(ref::norm2(problem.x()) == 0);
    CHECK(problem.residual() == 0);

    CHECK(problem.solve(small_source(), until(1e-10, 0)).iterations == 0);
    std::atomic<bool> stop = false;
    SolveControl control = until(1e-10);
    control.stop = &stop;
    control.progress = [&](int iteration, double) { stop = iteration == 3; };
    const SolveReport stopped = problem.solve(small_source(), control);
    CHECK(stopped.interrupted);
    CHECK(stopped.iterations == 3);
}
