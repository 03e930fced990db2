#include "drivers/bench/bench_solves.hpp"

#include "baseline/baseline.hpp"
#include "drivers/bench/plain_loop.hpp"
#include "drivers/commands.hpp"
#include "drivers/problem.hpp"
#include "drivers/run_case.hpp"
#include "drivers/stopwatch.hpp"
#include "lattice/error.hpp"
#include "tasks/host_access.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace qcd
{

namespace
{

constexpr const char *gauge = "weak:0.2", *source = "random:1";
constexpr double mass = -0.15, kappa = 1 / (2 * (mass + 4)), tolerance = 1e-10;

Error disagrees(const std::string& what, const Extents& lattice)
{
    return Error(fmt::format("bench: {} on {}", what, to_string(lattice)), exit_verify_failed);
}

/// Even-odd CR as tasks, with links as `solve` has them by default.
class CrCase
{
public:
    CrCase(const RunPlan& plan, Precision precision)
        : CrCase(plan, precision, *open_gauge(gauge, plan.lattice))
    {
    }
    DiracSolve& solve() { return case_.solve(); }
    LatticeGraph& graph() { return case_.graph(); }

private:
    CrCase(const RunPlan& plan, Precision precision, GaugeSource& links)
        : case_({.dirac = {kappa, 0},
                 .precision = precision,
                 .links = default_links(links, precision)},
                plan, links, *open_spinor_source(source, plan.lattice))
    {
    }
    Case case_;
};

/// The same tiles, as tasks that can be recorded.
RunPlan as_graph(RunPlan plan)
{
    plan.kind = PlanKind::graph;
    plan.iterations = 1;
    plan.owners.clear();
    return plan;
}

/// Exactly so many iterations.
SolveControl exactly(int iterations)
{
    return {.tol = 0, .max_iterations = iterations, .progress = {}, .stop = &stop_requested};
}

/// Enough iterations for a tenth of a second or so.
int fixed_iterations(const Extents& lattice)
{
    return int(std::clamp(50L * 131072 / volume(lattice), 20L, 400L));
}

/// One baseline engine and the times of its solves.
class BaselineRuns
{
public:
    BaselineRuns(const Extents& lattice, int threads)
        : gauge_(open_gauge(gauge, lattice)), source_(open_spinor_source(source, lattice)),
          engine_({.lattice = lattice,
                   .kappa = kappa,
                   .tol = tolerance,
                   .interrupt = &stop_requested,
                   .threads = threads},
                  *gauge_)
    {
    }
    void run(const Extents& lattice)
    {
        const PausedWorkers paused;
        result_ = engine_.solve(*source_);
        stop_if_asked("bench: interrupted");
        if (!result_.converged || engine_.true_residual().relative > 2 * tolerance)
            throw disagrees("a plain engine does not converge", lattice);
        seconds_.push_back(result_.seconds_solve);
    }
    double seconds() const { return median(seconds_); }
    int iterations() const { return result_.iterations; }

private:
    std::unique_ptr<GaugeSource> gauge_;
    std::unique_ptr<SpinorSource> source_;
    baseline::Engine<double> engine_;
    baseline::Result result_{};
    std::vector<double> seconds_;
};

/// The tasks of a solve of `iterations` iterations as plain loops.
PlainLoop record(CrCase& run, int iterations)
{
    TaskRecorder recorder(run.graph());
    run.solve().iterate(exactly(iterations));
    return PlainLoop(recorder.take(), PlainLoop::Isa::chosen);
}

} // namespace

OverheadRow measure_overhead(const BenchSession& session, const Extents& lattice,
                             Precision precision, int repeat)
{
    const RunPlan plan = session.plan(lattice, precision);
    CrCase looped(as_graph(plan), precision);
    std::optional<CrCase> own; // of a plan that cannot be recorded
    if (plan.collects()) own.emplace(plan, precision);
    CrCase& run = own ? *own : looped;
    OverheadRow row{.precision = std::string(cli::to_string(precision)),
                    .lattice = lattice,
                    .tiles = plan.tiles(),
                    .workers = plan.workers,
                    .iterations = fixed_iterations(lattice),
                    .load_average = load_average()};
    looped.solve().prepare();
    const PlainLoop loop = record(looped, row.iterations);
    std::vector<double> starpu, plain;
    for (int i = 0; i < repeat && !stop_requested; ++i) {
        run.solve().prepare();
        const long before = run.graph().tasks();
        Stopwatch clock;
        run.solve().iterate(exactly(row.iterations));
        starpu.push_back(clock.lap());
        row.tasks = run.graph().tasks() - before;
        const std::uint64_t digest = run.solve().y().digest();
        looped.solve().prepare();
        const PausedWorkers paused;
        clock.lap();
        loop.run(row.workers.cores());
        plain.push_back(clock.lap());
        if (looped.solve().y().digest() != digest && !stop_requested)
            throw disagrees(
                "StarPU's tasks and plain loops over the same kernels give different bits",
                lattice);
    }
    row.starpu = median(starpu);
    row.plain = median(plain);
    return row;
}

EngineRow measure_engines(const BenchSession& session, const Extents& lattice, int repeat)
{
    const RunPlan plan = session.plan(lattice, Precision::f64);
    CrCase run(plan, Precision::f64);
    EngineRow row{.lattice = lattice,
                  .tiles = plan.tiles(),
                  .workers = plan.workers,
                  .load_average = load_average()};
    BaselineRuns openmp(lattice, row.workers.cores()), sequential(lattice, 1);
    const SolveControl control{.tol = tolerance, .progress = {}, .stop = &stop_requested};
    std::vector<double> starpu;
    for (int i = 0; i < repeat && !stop_requested; ++i) {
        Stopwatch clock;
        const SolveReport report = run.solve().solve(control);
        starpu.push_back(clock.lap());
        if (!report.interrupted &&
            (!report.converged || run.solve().verify().residual > 2 * tolerance))
            throw disagrees("the solve as tasks does not converge", lattice);
        row.starpu_iterations = report.iterations;
        openmp.run(lattice);
        sequential.run(lattice);
    }
    row.starpu = median(starpu);
    row.openmp = openmp.seconds();
    row.sequential = sequential.seconds();
    row.plain_iterations = openmp.iterations();
    return row;
}

} // namespace qcd
