#include "drivers/run_case.hpp"

#include "drivers/commands.hpp"
#include "drivers/kernel_rates.hpp"
#include "drivers/progress.hpp"
#include "drivers/recorders.hpp"
#include "drivers/stopwatch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace qcd
{

namespace
{

SolveControl control_of(const cli::SolveOptions& o, Progress& progress)
{
    SolveControl c;
    c.tol = o.iterations ? 0 : o.tolerance;
    c.max_iterations = o.iterations.value_or(o.max_iterations);
    c.progress = [&](int iteration, double residual) { progress.update(iteration, residual); };
    c.stop = &stop_requested;
    return c;
}

/// Seconds of an iteration. The first brings the links and the source to the devices.
double one_iteration(DiracSolve& problem)
{
    Stopwatch clock;
    problem.prepare();
    problem.iterate({.tol = 0, .max_iterations = 1, .progress = {}, .stop = &stop_requested});
    return clock.lap();
}

/// On devices timing keeps kernels from overlapping: a few iterations, not the solve.
std::vector<KernelRate> rates_on_devices(DiracSolve& problem, const WorkerCounts& workers)
{
    Events events(problem.graph());
    for (int i = 0; i < 3; ++i) one_iteration(problem);
    return rates_of(events.times(), workers);
}

/// What x tells about itself.
void fill_solution(RunReport& r, DiracSolve& solve)
{
    const SolutionSums s = solve.verify();
    r.residual.recomputed = s.residual;
    r.residual.heavy_quark = s.heavy_quark;
    r.solution.source_dot = {s.source_dot[0], s.source_dot[1]};
    r.solution.norm2 = s.norm2;
    r.solution.source_norm2 = s.source_norm2;
    r.solution.digest = fmt::format("{:016x}", solve.x().digest());
}

void copy(RunReport& r, const SolveReport& s)
{
    r.iterations = s.iterations;
    r.cg_iterations = s.cg_iterations;
    r.operator_applications = s.operator_applications;
    r.residual.iterated = s.residual;
    r.converged = s.converged;
    r.interrupted = s.interrupted;
    r.breakdown = s.breakdown;
    r.residual_history = s.history;
}

/// The solves, and what they took.
void solve_repeatedly(RunReport& r, const cli::SolveOptions& o, Case& run, const Session& session,
                      Recorders* recorders)
{
    DiracSolve& problem = run.solve();
    const WorkerCounts w = session.workers();
    const bool traced = recorders && recorders->wants_events();
    std::optional<Events> events;
    if (w.only_cores()) {
        events.emplace(run.graph(), traced ? Events::Keep::all : Events::Keep::sums);
    } else {
        const double first = one_iteration(problem);
        r.seconds.transfer = std::max(0.0, first - one_iteration(problem));
        r.kernels = rates_on_devices(problem, w);
        if (traced)
            events.emplace(run.graph(), Events::Keep::all, Recorders::every_batch_on_devices);
    }
    const long tasks_before = run.graph().tasks();
    session.bytes_moved();
    if (recorders) recorders->start();
    for (int i = 0; goes_on(i, o.repeat); ++i) {
        Progress progress(o.iterations ? 0 : o.tolerance, o.iterations.value_or(o.max_iterations),
                          o.output.quiet);
        Stopwatch clock;
        copy(r, problem.solve(control_of(o, progress)));
        r.add_time(clock.lap());
    }
    if (recorders) recorders->stop(events ? &*events : nullptr);
    if (w.only_cores()) r.kernels = rates_of(events->times(), w);
    const long solves = std::max(1L, long(r.repeats.size()));
    r.all_tasks = run.graph().tasks() - tasks_before;
    r.tasks = r.all_tasks / solves;
    r.bytes_moved = session.bytes_moved() / solves;
}

} // namespace

Case::Case(const DiracProblem& problem, const RunPlan& plan, GaugeSource& gauge,
           const SpinorSource& source)
    : graph_(plan.tiling(), plan), solve_(graph_, problem, gauge)
{
    solve_.set_source(source);
}

void run_case(RunReport& r, const cli::SolveOptions& o, const Session& session, const RunPlan& plan,
              ObservedGauge& gauge, const SpinorSource& source, Recorders* recorders)
{
    Stopwatch clock;
    Case run(problem_of(o), plan, gauge, source);
    r.problem.observables = gauge.complete();
    r.seconds.setup += clock.lap();
    solve_repeatedly(r, o, run, session, recorders);
    clock.lap();
    fill_solution(r, run.solve());
    r.seconds.verify = clock.lap();
    if (!stop_requested)
        r.triad_gb_per_s = compare_with_triad(r.kernels, run.solve(), session.workers());
}

} // namespace qcd
