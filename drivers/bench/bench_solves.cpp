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
    Outcome run(EngineRow& row)
    {
        const PausedWorkers paused;
        const baseline::Result result = engine_.solve(*source_);
        stop_if_asked("bench: interrupted");
        if (!result.converged || engine_.true_residual().relative > 2 * tolerance)
            throw disagrees("a plain engine does not converge", row.lattice);
        row.plain_iterations = result.iterations;
        return {result.seconds_solve, {}, "", ""};
    }

private:
    std::unique_ptr<GaugeSource> gauge_;
    std::unique_ptr<SpinorSource> source_;
    baseline::Engine<double> engine_;
};

Outcome run_as_tasks(CrCase& run, EngineRow& row)
{
    Stopwatch clock;
    const SolveReport report =
        run.solve().solve({.tol = tolerance, .progress = {}, .stop = &stop_requested});
    const double seconds = clock.lap();
    stop_if_asked("bench: interrupted");
    if (!report.converged || run.solve().verify().residual > 2 * tolerance)
        throw disagrees("the solve as tasks does not converge", row.lattice);
    row.starpu_iterations = report.iterations;
    return {seconds, {}, "", ""};
}

/// The tasks of a solve of `iterations` iterations as plain loops.
PlainLoop record(CrCase& run, int iterations)
{
    TaskRecorder recorder(run.graph());
    run.solve().iterate(exactly(iterations));
    return PlainLoop(recorder.take(), PlainLoop::Isa::chosen);
}

/// The iterations alone.
Outcome run_loop(CrCase& looped, const PlainLoop& loop, int threads)
{
    looped.solve().prepare();
    const PausedWorkers paused;
    Stopwatch clock;
    loop.run(threads);
    const double seconds = clock.lap();
    stop_if_asked("bench: interrupted");
    return {seconds, {}, "", ""};
}

/// What takes part in a comparison.
struct Side {
    const char* name;
    std::function<Outcome()> run;
};

/// In turn, so often each, without a warm-up: the sequential engine takes half a minute.
Comparison compare(const std::vector<Side>& sides, int rounds, const Extents& lattice)
{
    Comparison c;
    for (const Side& side : sides) c.design.cases.push_back({side.name, {}});
    c.design.rounds = rounds;
    c.design.warm_up = false;
    const std::vector<experiment::Run> runs = experiment::run_rounds(
        c.design,
        {.run = [&](int which) { return sides[which].run(); }, .progress = {}, .stop = {}});
    if (const std::string digests = differing_digests(c.design, runs); !digests.empty())
        throw disagrees("different bits: " + digests, lattice);
    c.ranking = rank(c.design, runs);
    return c;
}

} // namespace

OverheadRow measure_overhead(const BenchSession& session, const Extents& lattice,
                             Precision precision, int repeat)
{
    const RunPlan plan = session.plan(lattice, precision);
    CrCase looped(as_graph(plan), precision);
    std::optional<CrCase> own; // of a plan that cannot be recorded
    if (plan.collects()) own.emplace(plan, precision);
    OverheadRow row{.precision = std::string(to_string(precision)),
                    .lattice = lattice,
                    .tiles = plan.tiles(),
                    .workers = plan.workers,
                    .iterations = fixed_iterations(lattice),
                    .load_average = load_average(),
                    .times = {}};
    looped.solve().prepare();
    const PlainLoop loop = record(looped, row.iterations);
    const auto digest = [](CrCase& run) {
        return fmt::format("{:016x}", run.solve().y().digest());
    };
    const auto as_tasks = [&] {
        CrCase& run = own ? *own : looped;
        run.solve().prepare();
        const long before = run.graph().tasks();
        Stopwatch clock;
        run.solve().iterate(exactly(row.iterations));
        const double seconds = clock.lap();
        stop_if_asked("bench: interrupted");
        row.tasks = run.graph().tasks() - before;
        return Outcome{seconds, {}, digest(run), ""};
    };
    const auto as_loops = [&] {
        Outcome o = run_loop(looped, loop, row.workers.cores());
        o.digest = digest(looped);
        return o;
    };
    row.times = compare({{"starpu", as_tasks}, {"plain", as_loops}}, repeat, lattice);
    return row;
}

EngineRow measure_engines(const BenchSession& session, const Extents& lattice, int repeat)
{
    const RunPlan plan = session.plan(lattice, Precision::f64);
    CrCase run(plan, Precision::f64), looped(as_graph(plan), Precision::f64);
    EngineRow row{.lattice = lattice,
                  .tiles = plan.tiles(),
                  .workers = plan.workers,
                  .load_average = load_average(),
                  .times = {}};
    BaselineRuns openmp(lattice, row.workers.cores()), sequential(lattice, 1);
    run_as_tasks(run, row); // so many iterations
    looped.solve().prepare();
    const PlainLoop loop = record(looped, row.starpu_iterations);
    row.times = compare({{"starpu", [&] { return run_as_tasks(run, row); }},
                         {"kernels", [&] { return run_loop(looped, loop, row.workers.cores()); }},
                         {"openmp", [&] { return openmp.run(row); }},
                         {"sequential", [&] { return sequential.run(row); }}},
                        repeat, lattice);
    return row;
}

} // namespace qcd
