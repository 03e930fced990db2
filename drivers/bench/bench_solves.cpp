#include "drivers/bench/bench_solves.hpp"

#include "baseline/baseline.hpp"
#include "drivers/bench/plain_loop.hpp"
#include "drivers/commands.hpp"
#include "drivers/placement/placement.hpp"
#include "drivers/problem.hpp"
#include "drivers/stopwatch.hpp"
#include "lattice/error.hpp"
#include "solver/dirac_solve.hpp"
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
class CrSolve : public DiracSolve
{
public:
    CrSolve(const Tiling& tiling, Precision precision)
        : CrSolve(tiling, precision, *open_gauge(gauge, tiling.lattice()))
    {
    }

private:
    CrSolve(const Tiling& tiling, Precision precision, GaugeSource& links)
        : DiracSolve(tiling,
                     {.dirac = {kappa, 0},
                      .precision = precision,
                      .links = default_links(links, precision)},
                     links)
    {
        set_source(*open_spinor_source(source, tiling.lattice()));
    }
};

/// Exactly so many iterations.
SolveControl exactly(int iterations)
{
    return {.tol = 0, .max_iterations = iterations, .progress = {}, .stop = &stop_requested};
}

/// Iterations a task, as in a solve.
int batch_of(const BenchSession& session, const Tiling& tiling)
{
    const WorkerCounts w = session.machine().workers();
    return one_worker_has_all(w, tiling) || cores_link(session.machine(), tiling)
               ? batch_for_cores(tiling.lattice(), w.cores())
               : 1;
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
        if (!result_.converged || engine_.true_residual() > 2 * tolerance)
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
PlainLoop record(CrSolve& solve, int iterations)
{
    TaskRecorder recorder;
    solve.iterate(exactly(iterations));
    return PlainLoop(recorder.take(), PlainLoop::Isa::chosen, PlainLoop::Coefficients::own);
}

} // namespace

OverheadRow measure_overhead(const BenchSession& session, const Extents& lattice,
                             Precision precision, int repeat)
{
    const Tiling tiling = session.tiling(lattice, real_bytes(precision));
    const bool linked = cores_link(session.machine(), tiling);
    std::optional<TileOwners> owners;
    const auto link = [&](bool on) {
        owners.reset();
        owners.emplace(session.machine(), tiling, on);
    };
    link(false);
    CrSolve looped(tiling, precision);
    OverheadRow row{.precision = std::string(cli::to_string(precision)),
                    .lattice = lattice,
                    .tiles = tiling.tiles(),
                    .workers = session.machine().workers(),
                    .iterations = fixed_iterations(lattice),
                    .load_average = load_average()};
    looped.prepare();
    const PlainLoop loop = record(looped, row.iterations);
    link(linked);
    std::optional<CrSolve> apart; // linked workers' data are their own
    if (linked) apart.emplace(tiling, precision);
    CrSolve& solve = linked ? *apart : looped;
    SolveControl control = exactly(row.iterations);
    control.batch = batch_of(session, tiling);
    std::vector<double> starpu, plain;
    for (int i = 0; i < repeat && !stop_requested; ++i) {
        if (linked) link(true);
        solve.prepare();
        const long before = submitted_tasks();
        Stopwatch clock;
        solve.iterate(control);
        starpu.push_back(clock.lap());
        row.tasks = submitted_tasks() - before;
        const std::uint64_t digest = solve.y().digest();
        if (linked) link(false);
        looped.prepare();
        const PausedWorkers paused;
        clock.lap();
        loop.run(row.workers.cores());
        plain.push_back(clock.lap());
        if (looped.y().digest() != digest && !stop_requested)
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
    const Tiling tiling = session.tiling(lattice, real_bytes(Precision::f64));
    const TileOwners owners(session.machine(), tiling, cores_link(session.machine(), tiling));
    CrSolve solve(tiling, Precision::f64);
    EngineRow row{.lattice = lattice,
                  .tiles = tiling.tiles(),
                  .workers = session.machine().workers(),
                  .load_average = load_average()};
    BaselineRuns openmp(lattice, row.workers.cores()), sequential(lattice, 1);
    SolveControl control{.tol = tolerance, .progress = {}, .stop = &stop_requested};
    control.batch = batch_of(session, tiling);
    std::vector<double> starpu;
    for (int i = 0; i < repeat && !stop_requested; ++i) {
        Stopwatch clock;
        const SolveReport report = solve.solve(control);
        starpu.push_back(clock.lap());
        if (!report.interrupted && (!report.converged || solve.verify().residual > 2 * tolerance))
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
