#include "drivers/run/run_case.hpp"

#include "drivers/machine/kernel_rates.hpp"
#include "drivers/run/checkpointing.hpp"
#include "drivers/run/end_all.hpp"
#include "drivers/run/kept_vectors.hpp"
#include "drivers/run/run_observer.hpp"
#include "drivers/run/spinor_files.hpp"
#include "drivers/run/verification.hpp"
#include "drivers/spec/commands.hpp"
#include "program/progress.hpp"
#include "program/stop.hpp"
#include "program/stopwatch.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <sys/resource.h>
#include <utility>

namespace qcd
{

namespace
{

SolveControl control_of(const RunSpec& o, Progress& progress, EnergyCounter* energy = nullptr)
{
    SolveControl c;
    c.tol = o.method.iterations() ? 0 : *o.method.tolerance();
    c.max_iterations = o.method.iterations().value_or(*o.method.max_iterations());
    c.progress = [&progress, energy](int iteration, double residual) {
        progress.update(iteration, residual);
        if (energy) energy->look_again();
    };
    c.stop = &stop_requested;
    return c;
}

/// Seconds of an iteration. The first brings the links and the source to the devices.
double one_iteration(SolveCase& problem)
{
    Stopwatch clock;
    problem.prepare();
    problem.iterate({.tol = 0, .max_iterations = 1, .progress = {}, .stop = &stop_requested});
    return clock.lap();
}

/// On devices timing keeps kernels from overlapping: a few iterations, not the solve.
std::vector<KernelRate> rates_on_devices(SolveCase& problem, const WorkerCounts& workers)
{
    Events events(problem.graph());
    problem.prepare();
    events.times(); // of the beginning
    problem.iterate({.tol = 0, .max_iterations = 4, .progress = {}, .stop = &stop_requested});
    return rates_of(events.times(), workers);
}

/// The most memory that this process has had.
long peak_bytes()
{
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss << 10;
}

void copy(RunReport& r, const SolveReport& s)
{
    r.iterations = s.iterations;
    r.cg_iterations = s.cg_iterations;
    if (r.sloppy) {
        r.sloppy->updates = s.updates;
        r.sloppy->single_iterations = s.single_iterations;
        r.sloppy->double_iterations = s.double_iterations;
    }
    if (r.preconditioner) {
        r.preconditioner->applications = s.preconditioner_applications;
        r.preconditioner->bicgstab_iterations = s.bicgstab_iterations;
    }
    r.operator_applications = s.operator_applications;
    r.residual.iterated = s.residual;
    r.converged = s.converged;
    r.interrupted = s.interrupted;
    r.breakdown = s.breakdown;
    r.residual_history = s.history;
}

/// Puts several right-hand sides into one report: each of them, and for the whole the worst of each
/// figure. Applications are those of all.
void join(RunReport& r, const std::vector<SolveReport>& all,
          std::span<const std::unique_ptr<SpinorSource>> sources)
{
    const auto worst =
        std::max_element(all.begin(), all.end(), [](const SolveReport& a, const SolveReport& b) {
            return std::pair(!a.converged, a.iterations) < std::pair(!b.converged, b.iterations);
        });
    copy(r, *worst);
    r.operator_applications = 0;
    r.rhs.clear();
    for (std::size_t i = 0; i < all.size(); ++i) {
        RunReport one;
        one.problem = r.problem;
        one.problem.source = sources[i]->description();
        one.residual.requested = r.residual.requested;
        one.fixed_iterations = r.fixed_iterations;
        copy(one, all[i]);
        r.operator_applications += one.operator_applications;
        r.residual.iterated = std::max(r.residual.iterated, one.residual.iterated);
        r.rhs.push_back(std::move(one));
    }
}

void solve_from(RunReport& r, SolveControl control, SolveCase& problem, const Beginning& from)
{
    for (std::size_t i = 0; i < from.guesses.size(); ++i) problem.set_x(*from.guesses[i], int(i));
    std::optional<std::vector<State>> states;
    if (from.checkpointing) {
        states = from.checkpointing->begin(r, problem.lattice_graph());
        control.checkpoints = from.checkpointing->checkpoints();
    }
    Stopwatch clock;
    const std::vector<SolveReport> reports =
        states ? problem.resume(*states, control)
               : problem.solve(control, from.guesses.empty() ? Guess::zero : Guess::x);
    if (from.sources.size() > 1)
        join(r, reports, from.sources);
    else
        copy(r, reports.front());
    r.add_time(clock.lap());
    if (from.checkpointing) from.checkpointing->end(r);
}

/// The solves, and what they took.
void solve_repeatedly(RunReport& r, const RunSpec& o, SolveCase& problem, const Session& session,
                      RunObserver* observer, const Beginning& beginning)
{
    const WorkerCounts w = session.workers();
    const std::optional<int> every =
        observer ? observer->every_batch(w) : std::nullopt; // with events, each kept
    std::optional<Events> events;
    if (w.only_cores()) {
        events.emplace(problem.graph(), every ? Events::Keep::all : Events::Keep::sums);
    } else {
        const double first = one_iteration(problem);
        r.seconds.transfer = std::max(0.0, first - one_iteration(problem));
        r.kernels = rates_on_devices(problem, w);
        if (every) events.emplace(problem.graph(), Events::Keep::all, *every);
    }
    const long tasks_before = problem.graph().tasks();
    session.traffic();
    session.work();
    EnergyCounter energy(meters_of(session)); // before times are taken: NVML begins slowly
    if (observer) observer->begin(problem.graph(), session);
    for (int i = 0; !session.ranks().any(!goes_on(i, o.execution.repeat())); ++i) {
        Progress progress(o.method.iterations() ? 0 : *o.method.tolerance(),
                          o.method.iterations().value_or(*o.method.max_iterations()),
                          o.output.quiet());
        solve_from(r, control_of(o, progress, &energy), problem, beginning);
    }
    if (observer) observer->solved();
    r.energy = energy.used();
    const std::vector<WorkDone> work = session.work();
    if (observer) observer->end(work, w, events ? &*events : nullptr);
    if (w.only_cores()) r.kernels = rates_of(events->times(), w);
    const long solves = std::max(1L, long(r.repeats.size()));
    for (EnergyUsed& e : r.energy) e.joules /= double(solves);
    const BusySeconds busy = busy_seconds(work, r.kernels, w);
    r.seconds.cores_busy = busy.cores / double(solves);
    r.seconds.devices_busy = busy.devices / double(solves);
    r.all_tasks = problem.graph().tasks() - tasks_before;
    r.tasks = r.all_tasks / solves;
    const Traffic traffic = session.traffic();
    r.bytes_moved = traffic.bytes / solves;
    r.seconds.bus = traffic.seconds / double(solves);
}

} // namespace

void solve_once(RunReport& whole, const RunSpec& o, SolveCase& problem, int sources)
{
    Stopwatch clock;
    std::vector<SolveReport> reports;
    {
        Progress progress(*o.method.tolerance(), *o.method.max_iterations(), o.output.quiet());
        reports = problem.solve(control_of(o, progress), Guess::zero);
    }
    const double seconds = clock.lap() / sources;
    for (std::size_t i = 0; i < whole.rhs.size(); ++i) {
        copy(whole.rhs[i], reports[i]);
        whole.rhs[i].add_time(seconds);
    }
    problem.fill_solution(whole);
    const double verified = clock.lap() / sources;
    for (RunReport& one : whole.rhs) {
        one.seconds.verify = verified;
        verify(one);
    }
}

void run_case(RunReport& r, const RunSpec& o, const Session& session, const RunPlan& plan,
              ObservedGauge& gauge, const SpinorSource& source, RunObserver* observer,
              const Beginning& beginning)
{
    Stopwatch clock;
    if (beginning.checkpointing) gauge.compute_digest();
    Ranks& ranks = session.ranks();
    const auto vectors = open_test_vectors(o, gauge);
    const auto problem = make_case(o, plan, gauge, source, vectors);
    for (std::size_t i = 1; i < beginning.sources.size(); ++i)
        problem->set_source(*beginning.sources[i], int(i));
    r.stencil = problem->stencil(session);
    end_all_if_it_fails(ranks, [&] {
        r.problem.observables = gauge.complete();
        if (beginning.checkpointing) beginning.checkpointing->require_links(gauge.digest());
        r.seconds.allocation = clock.lap();
        r.seconds.setup += r.seconds.allocation;
        solve_repeatedly(r, o, *problem, session, observer, beginning);
        clock.lap();
        problem->fill_solution(r);
        r.seconds.verify = clock.lap();
        if (o.output.verbose()) problem->measure_levels(r);
        save_solution(r, o, ranks, [&](SpinorWriter& file) {
            for (int i = 0; i < plan.rhs; ++i)
                problem->visit_x([&](const Coord&, const double* x) { file.add_site(x); }, i);
        });
        if (vectors) r.add_unsaved(vectors->failure());
        const bool stopped = ranks.any(stop_requested);
        if (!stopped) r.triad_gb_per_s = problem->compare_with_triad(r.kernels, session.workers());
        r.cache_bytes = session.cache_bytes();
        if (!stopped && !o.output.report().empty()) r.peaks = measure_peak(session);
        r.peak_bytes = ranks.all(peak_bytes());
        if (ranks.several()) r.transport = ranks.transport();
    });
}

} // namespace qcd
