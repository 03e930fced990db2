#include "drivers/bench/bench_solves.hpp"

#include "base/error.hpp"
#include "baseline/baseline.hpp"
#include "drivers/bench/plain_loop.hpp"
#include "drivers/run/problem.hpp"
#include "drivers/run/run_case.hpp"
#include "drivers/spec/commands.hpp"
#include "program/stop.hpp"
#include "program/stopwatch.hpp"
#include "tasks/host_access.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace qcd
{

namespace
{

using experiment::Outcome;

constexpr const char *gauge = "weak:0.2", *source = "random:1";
constexpr double mass = -0.15, kappa = 1 / (2 * (mass + 4)), tolerance = 1e-10;

Error disagrees(const std::string& what, const Extents& lattice)
{
    return Error(fmt::format("bench: {} on {}", what, to_string(lattice)), exit_verify_failed);
}

/// Throws Interrupted after a stop, and Error (verification) where the solve did not succeed.
void require_solved(bool solved, const char* what, const Extents& lattice)
{
    stop_if_asked("bench: interrupted");
    if (!solved) throw disagrees(fmt::format("{} does not converge", what), lattice);
}

/// Even-odd CR as tasks, with links as `solve` has them by default.
std::unique_ptr<Case> cr_case(const RunPlan& plan, Precision precision)
{
    const auto links = open_gauge(gauge, plan.lattice);
    return std::make_unique<Case>(DiracProblem{.dirac = {kappa, 0},
                                               .precision = precision,
                                               .links = default_links(*links, precision)},
                                  plan, *links, *open_spinor_source(source, plan.lattice));
}

/// A plan with the same tiles, whose tasks can be recorded.
RunPlan as_graph(RunPlan plan)
{
    plan.kind = PlanKind::graph;
    plan.iterations = 1;
    plan.owners.clear();
    return plan;
}

/// Controls a solve of exactly so many iterations.
SolveControl exactly(int iterations)
{
    return {.tol = 0, .max_iterations = iterations, .progress = {}, .stop = &stop_requested};
}

/// Iterations that take about a tenth of a second.
int fixed_iterations(const Extents& lattice)
{
    return int(std::clamp(50L * 131072 / volume(lattice), 20L, 400L));
}

/// One baseline engine and its solves.
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
    Outcome run(SolveRow& row)
    {
        const PausedWorkers paused;
        const baseline::Result result = engine_.solve(*source_);
        require_solved(result.converged && engine_.true_residual().relative <= 2 * tolerance,
                       "a plain engine", row.lattice);
        row.plain_iterations = result.iterations;
        return {result.seconds_solve, {}, "", ""};
    }

private:
    std::unique_ptr<GaugeSource> gauge_;
    std::unique_ptr<SpinorSource> source_;
    baseline::Engine<double> engine_;
};

Outcome run_as_tasks(Case& run, SolveRow& row)
{
    Stopwatch clock;
    const SolveReport report =
        run.solve().solve({.tol = tolerance, .progress = {}, .stop = &stop_requested}).front();
    const double seconds = clock.lap();
    require_solved(report.converged && run.solve().verify().residual <= 2 * tolerance,
                   "the solve as tasks", row.lattice);
    row.iterations = report.iterations;
    return {seconds, {}, "", ""};
}

/// The tasks of a solve of `iterations` iterations as plain loops.
PlainLoop record(Case& run, int iterations)
{
    run.solve().prepare();
    TaskRecorder recorder(run.graph());
    run.solve().iterate(exactly(iterations));
    return PlainLoop(recorder.take(), PlainLoop::Isa::chosen);
}

/// Runs the iterations alone.
Outcome run_loop(Case& looped, const PlainLoop& loop, int threads)
{
    looped.solve().prepare();
    const PausedWorkers paused;
    Stopwatch clock;
    loop.run(threads);
    return {clock.lap(), {}, "", ""};
}

std::string digest_of(Case& run) { return fmt::format("{:016x}", run.solve().y().digest()); }

SolveRow row_of(const RunPlan& plan, Precision precision)
{
    return {.precision = std::string(to_string(precision)),
            .lattice = plan.lattice,
            .tiles = plan.tiles(),
            .workers = plan.workers,
            .load_average = load_average()};
}

/// One that takes part in a comparison.
struct Side {
    const char* name;
    std::function<Outcome()> run;
};

/// Runs each side so often, in turn. There is no warm-up, because the sequential engine takes half
/// a minute.
void compare(SolveRow& row, int rounds, const std::vector<Side>& sides)
{
    for (const Side& side : sides) row.design.cases.push_back({side.name, {}});
    row.design.rounds = rounds;
    row.design.warm_up = false;
    const auto run = [&](int which) {
        const Outcome outcome = sides[which].run();
        stop_if_asked("bench: interrupted");
        return outcome;
    };
    const auto runs = run_rounds(row.design, {.run = run, .progress = {}, .stop = {}});
    if (const std::string digests = differing_digests(row.design, runs); !digests.empty())
        throw disagrees("different bits: " + digests, row.lattice);
    row.ranking = rank(row.design, runs);
}

} // namespace

SolveRow measure_overhead(const BenchSession& session, const Extents& lattice, Precision precision,
                          int repeat)
{
    const RunPlan plan = session.plan(lattice, precision);
    const auto looped = cr_case(as_graph(plan), precision);
    // Tasks of a plan that collects operations cannot be recorded.
    const auto apart = plan.collects() ? cr_case(plan, precision) : nullptr;
    SolveRow row = row_of(plan, precision);
    row.iterations = fixed_iterations(lattice);
    const PlainLoop loop = record(*looped, row.iterations);
    const auto as_tasks = [&] {
        Case& run = apart ? *apart : *looped;
        run.solve().prepare();
        const long before = run.graph().tasks();
        Stopwatch clock;
        run.solve().iterate(exactly(row.iterations));
        const double seconds = clock.lap();
        row.tasks = run.graph().tasks() - before;
        return Outcome{seconds, {}, digest_of(run), ""};
    };
    const auto as_loops = [&] {
        Outcome outcome = run_loop(*looped, loop, row.workers.cores());
        outcome.digest = digest_of(*looped);
        return outcome;
    };
    compare(row, repeat, {{"starpu", as_tasks}, {"plain", as_loops}});
    return row;
}

SolveRow measure_engines(const BenchSession& session, const Extents& lattice, int repeat)
{
    const RunPlan plan = session.plan(lattice, Precision::f64);
    const auto run = cr_case(plan, Precision::f64),
               looped = cr_case(as_graph(plan), Precision::f64);
    SolveRow row = row_of(plan, Precision::f64);
    BaselineRuns openmp(lattice, row.workers.cores()), sequential(lattice, 1);
    run_as_tasks(*run, row); // this counts the iterations
    const PlainLoop loop = record(*looped, row.iterations);
    compare(row, repeat,
            {{"starpu", [&] { return run_as_tasks(*run, row); }},
             {"kernels", [&] { return run_loop(*looped, loop, row.workers.cores()); }},
             {"openmp", [&] { return openmp.run(row); }},
             {"sequential", [&] { return sequential.run(row); }}});
    return row;
}

} // namespace qcd
