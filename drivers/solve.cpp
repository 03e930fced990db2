#include "drivers/solve.hpp"

#include "baseline/baseline.hpp"
#include "drivers/checkpoint/checkpointing.hpp"
#include "drivers/commands.hpp"
#include "drivers/join_ranks.hpp"
#include "drivers/json_file.hpp"
#include "drivers/plan/command.hpp"
#include "drivers/plan/split.hpp"
#include "drivers/plan/study_plan.hpp"
#include "drivers/plan/worker_choice.hpp"
#include "drivers/problem.hpp"
#include "drivers/progress.hpp"
#include "drivers/provenance.hpp"
#include "drivers/recorders.hpp"
#include "drivers/run_case.hpp"
#include "drivers/solution_summary.hpp"
#include "drivers/spinor_files.hpp"
#include "drivers/stopwatch.hpp"
#include "drivers/verification.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/ranks.hpp"
#include "solver/dirac_solve.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <exception>
#include <iostream>
#include <optional>

namespace qcd
{

namespace
{

void fill_problem_part(RunReport& r, const cli::SolveOptions& o)
{
    r.solver = cli::to_string(o.method);
    r.even_odd = o.even_odd;
    r.links = reals(*o.links);
    if (o.method == Method::gcr) r.restart = problem_of(o).restart;
    if (o.precondition)
        r.preconditioner = {.method = o.precondition->method,
                            .iterations = o.precondition->iterations,
                            .precision =
                                std::string(cli::to_string(o.sloppy.value_or(o.precision))),
                            .domain = o.domain,
                            .applications = 0};
    if (o.sloppy && !o.precondition)
        r.sloppy = {.precision = std::string(cli::to_string(*o.sloppy)),
                    .drop = problem_of(o).sloppy_drop,
                    .updates = {},
                    .single_iterations = {},
                    .double_iterations = {}};
    r.engine = cli::to_string(o.engine);
    r.residual.requested = o.iterations ? 0 : o.tolerance;
    r.fixed_iterations = o.iterations.has_value();
    r.load_average = load_average();
}

double gflops_of(const RunReport& r)
{
    return r.rates.empty()
               ? 0
               : 1e-9 * flops_a_site(r) * double(volume(r.problem.lattice)) * median(r.rates);
}

std::size_t bytes_of(const cli::SolveOptions& o, const RunPlan& plan)
{
    if (o.stencil)
        return StudySolve::bytes(plan.lattice, int(volume(plan.tiles())), study_problem_of(o));
    const std::size_t state = o.checkpoint.empty() && o.resume.empty()
                                  ? 0
                                  : DiracSolve::state_bytes(plan.lattice, problem_of(o));
    return std::size_t(
        plan.largest_share() *
        double(DiracSolve::bytes(plan.tiling(), problem_of(o), !o.iterations, o.rhs) + state));
}

void announce_memory(std::size_t bytes, MachineFacts facts, const cli::OutputOptions& o,
                     const Ranks& ranks = one_rank())
{
    facts.available_bytes /= ranks.local_size();
    constexpr double mib = 1 << 20;
    const std::size_t trace = o.trace_fxt.empty() ? 0 : FxtTrace::memory;
    if (!o.quiet)
        std::cout << fmt::format("memory          {:.1f} MiB for links, spinors and faces{}{}\n",
                                 double(bytes) / mib, ranks.several() ? " of each rank" : "",
                                 trace ? fmt::format("; {:.0f} for the trace", trace / mib) : "")
                  << std::flush;
    require_memory("the solve", bytes + trace, facts);
}

std::optional<Session> start_session(const cli::SolveOptions& o, const Extents& lattice,
                                     const MachineFacts& facts)
{
    const SessionOptions options =
        workers_for(o, lattice, int(cuda_devices_for({.ranks = o.machine.ranks}).size()),
                    facts.cores, [&](const std::string& choice) {
                        if (!o.output.quiet) std::cout << "GPUs            " << choice << '\n';
                    });
    leave_opencl_out(options);
    return std::optional<Session>(std::in_place, options);
}

/// What would run. No field is allocated.
void print_plan(const cli::SolveOptions& o, const RunReport& r)
{
    print_plan(std::cout, *r.plan, r.command);
    if (o.stencil) return; // its tasks are counted as they are submitted
    const long tasks = DiracSolve::tasks_an_iteration(r.plan->tiling(), problem_of(o));
    std::cout << fmt::format("tasks           {}\n",
                             r.plan->collects()
                                 ? fmt::format("{} for {} iterations, of {} operations each",
                                               std::max<std::size_t>(1, r.plan->owners.size()),
                                               r.plan->iterations, tasks)
                                 : fmt::format("{} an iteration", tasks));
}

/// |x|^2, (b|x) and the digest of a baseline solution.
template <class Real>
RunReport::Solution summarise(const baseline::Engine<Real>& engine, const SpinorSource& source,
                              const Extents& l)
{
    SolutionSummary summary(sizeof(Real));
    Coord c;
    for (c[3] = 0; c[3] < l[3]; ++c[3])
        for (c[2] = 0; c[2] < l[2]; ++c[2])
            for (c[1] = 0; c[1] < l[1]; ++c[1])
                for (c[0] = 0; c[0] < l[0]; ++c[0]) {
                    double x[24], b[24];
                    engine.solution_site(c, x);
                    source.site(c, b);
                    summary.add_site(x, b);
                }
    return summary.result();
}

template <class Real>
void add_solution(const baseline::Engine<Real>& engine, const Extents& l, SpinorWriter& file)
{
    Coord c;
    for (c[3] = 0; c[3] < l[3]; ++c[3])
        for (c[2] = 0; c[2] < l[2]; ++c[2])
            for (c[1] = 0; c[1] < l[1]; ++c[1])
                for (c[0] = 0; c[0] < l[0]; ++c[0]) {
                    double x[24];
                    engine.solution_site(c, x);
                    file.add_site(x);
                }
}

template <class Real>
RunReport solve_with_baseline(const cli::SolveOptions& o, ObservedGauge& gauge,
                              const SpinorSource& source)
{
    RunReport r;
    r.problem = describe(o.problem, gauge, source, o.precision);
    fill_problem_part(r, o);
    baseline::Problem p{};
    p.lattice = gauge.extents();
    p.kappa = o.problem.kappa;
    p.mubar = o.problem.mubar;
    p.antiperiodic = o.problem.antiperiodic;
    p.even_odd = o.even_odd;
    p.solver = cli::to_string(o.method);
    p.tol = o.iterations ? 0 : o.tolerance;
    p.max_iterations = o.max_iterations;
    p.exact_iterations = o.iterations.value_or(-1);
    p.interrupt = &stop_requested;
    std::optional<Progress> progress;
    p.progress = [&](int iteration, double residual) { progress->update(iteration, residual); };
    const MachineFacts facts = probe_machine();
    p.threads = o.engine == cli::Engine::sequential ? 1 : o.machine.cpus.value_or(facts.cores);
    r.workers.cpu = p.threads;
    note(crowding("threads", p.threads, "hardware threads", facts.threads, facts), o.output);
    r.command = equivalent_command(o, nullptr, {}, p.threads);
    Stopwatch clock;
    announce_memory(baseline::Engine<Real>::bytes(p) + gauge.bytes(), facts, o.output);
    if (o.dry_run) return r;
    baseline::Engine<Real> engine(p, gauge);
    r.problem.observables = gauge.complete();
    r.seconds.setup = clock.lap();
    for (int i = 0; goes_on(i, o.repeat); ++i) {
        progress.emplace(p.tol, o.iterations.value_or(o.max_iterations), o.output.quiet);
        const baseline::Result s = engine.solve(source);
        progress.reset();
        r.iterations = s.iterations;
        r.operator_applications = s.operator_applications;
        r.residual.iterated = s.iterated_residual;
        r.converged = s.converged;
        r.interrupted = s.interrupted;
        r.breakdown = s.breakdown;
        r.residual_history = s.residual_history;
        r.add_time(s.seconds_solve);
    }
    clock.lap();
    const auto residual = engine.true_residual();
    r.residual.recomputed = residual.relative;
    r.residual.heavy_quark = residual.heavy_quark;
    r.solution = summarise(engine, source, gauge.extents());
    r.seconds.verify = clock.lap();
    save_solution(r, o, [&](SpinorWriter& file) { add_solution(engine, gauge.extents(), file); });
    return r;
}

/// The JSON and the traces; one that fails does not cost the others.
void write_files(const cli::SolveOptions& options, const RunReport& r,
                 std::optional<Recorders>& recorders)
{
    const cli::OutputOptions& o = options.output;
    Failure failures{"", exit_bad_input};
    const auto attempt = [&](const auto& write) {
        try {
            write();
        } catch (const std::exception& e) {
            const auto [line, status] = failure_of(e);
            failures.line += (failures.line.empty() ? "" : "; ") + line;
            if (status == exit_missing_device) failures.status = status;
        }
    };
    attempt([&] {
        if (!r.unsaved.empty()) throw Error(r.unsaved);
    });
    attempt([&] {
        if (o.json.empty()) return;
        leave_opencl_out(
            session_options(options.machine, false)); // the plain engines have not said so
        write_json(o.json, with_provenance(to_json(r), o, find_devices(), starpu_build()));
    });
    if (recorders) recorders->write(r, o, attempt);
    if (!failures.line.empty()) throw Error(failures.line, failures.status);
}

} // namespace

RunReport run_with_starpu(cli::SolveOptions o, const ObservedGauge& gauge,
                          const SpinorSource& source, const PlannedRun& run)
{
    check_stencil(o);
    RunReport r;
    r.problem = describe(o.problem, gauge, source, o.precision);
    fill_problem_part(r, o);
    const Extents lattice = gauge.extents();
    const MachineFacts facts = probe_machine();
    Stopwatch clock;
    std::optional<Session> session = start_session(o, lattice, facts);
    note(crowding("CPU workers", session->workers().cores(), "cores", facts.cores, facts),
         o.output);
    note(too_few_cores(session->workers(), facts.cores, session->ranks()), o.output);
    note(gpus_of_ranks(session->workers(), session->ranks()), o.output);
    if (o.rhs == 0)
        o.rhs = rhs_that_fit(o, lattice, workers_of(*session), std::size_t(facts.available_bytes));
    std::optional<SplitLayout> layout;
    if (o.machine.split) {
        SplitChoice choice = choose_split(o, lattice, session);
        r.split = choice.report;
        layout = choice.layout;
    }
    r.plan = make_plan(o, lattice, workers_of(*session), layout ? &*layout : nullptr);
    r.workers = session->workers();
    r.bus_gb_per_s = session->bus_gb_per_s();
    r.command = equivalent_command(o, &*r.plan,
                                   layout ? std::optional(r.split->device_share) : std::nullopt, 0);
    const std::size_t bytes = bytes_of(o, *r.plan) + bytes_to_read(gauge, o.problem);
    if (o.dry_run) {
        if (session->ranks().speaks()) print_plan(o, r);
        announce_memory(bytes, facts, o.output, session->ranks());
        return r;
    }
    announce_memory(bytes, facts, o.output, session->ranks());
    r.seconds.setup = clock.lap();
    run(r, *session, *r.plan);
    return r;
}

RunReport solve_with_starpu(const cli::SolveOptions& o, ObservedGauge& gauge,
                            const SpinorSource& source, RunObserver* observer,
                            const Beginning& beginning)
{
    return run_with_starpu(o, gauge, source,
                           [&](RunReport& r, const Session& session, const RunPlan& plan) {
                               if (beginning.guess) {
                                   r.guess = beginning.guess->description();
                                   r.guess_phases = beginning.guess->phases();
                               }
                               run_case(r, o, session, plan, gauge, source, observer, beginning);
                           });
}

void complete(RunReport& r)
{
    r.seconds.solve = median(r.repeats);
    r.gflops = gflops_of(r);
    if (r.split && r.operator_applications > 0)
        r.split->solve =
            1e3 * r.gflops / flops_a_site(r) * r.iterations / double(r.operator_applications);
    verify(r);
}

RunReport solve_by_itself(cli::SolveOptions o, RunObserver* observer)
{
    Ranks& ranks = ranks_of(o.machine);
    if (ranks.several()) require_shareable(o);
    const auto gauge = open_problem_gauge(o.problem, o.output, ranks);
    if (!o.links) o.links = default_links(*gauge, o.precision);
    const auto source = open_problem_source(o.problem, gauge->extents(), o.output);
    RunReport r = solve_with_starpu(o, *gauge, *source, observer);
    if (!r.interrupted) complete(r);
    return r;
}

int run_solve(cli::SolveOptions o)
{
    if (!o.checkpoint.empty()) handle_checkpoint_signal();
    const auto gauge = open_problem_gauge(o.problem, o.output, ranks_of(o.machine));
    const bool plain = o.engine != cli::Engine::starpu; // has all reals of the links
    if (!o.links) o.links = plain ? LinkStorage::full : default_links(*gauge, o.precision);
    const auto sources = open_problem_sources(o.problem, o.rhs, gauge->extents(), o.output);
    const auto& source = sources.front();
    const auto guess = open_guess(o, gauge->extents());
    try_solution_file(o, gauge->extents());
    const auto checkpointing = open_checkpoints(o, gauge->extents(), *source);
    std::optional<Recorders> recorders;
    if (!plain && !o.dry_run) recorders.emplace(o);
    RunReport r = !plain ? solve_with_starpu(o, *gauge, *source, recorders ? &*recorders : nullptr,
                                             {guess.get(), checkpointing.get(), sources})
                  : o.precision == Precision::f64 ? solve_with_baseline<double>(o, *gauge, *source)
                                                  : solve_with_baseline<float>(o, *gauge, *source);
    if (o.dry_run) {
        if (!r.plan && !o.output.quiet) std::cout << "command         " << r.command << '\n';
        return exit_converged;
    }
    complete(r);
    if (!o.output.quiet) print_text(std::cout, r);
    write_files(o, r, recorders);
    return exit_status(r);
}

} // namespace qcd
