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
#include "drivers/spec/rules.hpp"
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

void fill_problem_part(RunReport& r, const RunSpec& s)
{
    const MethodSpec& m = s.method;
    r.asked = asked_of(s);
    r.solver = to_string(*m.solver());
    r.even_odd = *m.even_odd();
    r.links = reals(*m.links());
    if (m.solver() == Method::gcr) r.restart = problem_of(s).restart;
    if (m.precondition())
        r.preconditioner = {.method = m.precondition()->method,
                            .iterations = m.precondition()->iterations,
                            .precision = std::string(to_string(m.sloppy().value_or(m.precision()))),
                            .domain = m.domain(),
                            .applications = 0};
    if (m.sloppy() && !m.precondition())
        r.sloppy = {.precision = std::string(to_string(*m.sloppy())),
                    .drop = problem_of(s).sloppy_drop,
                    .updates = {},
                    .single_iterations = {},
                    .double_iterations = {}};
    r.engine = to_string(s.execution.engine());
    r.residual.requested = m.iterations() ? 0 : *m.tolerance();
    r.fixed_iterations = m.iterations().has_value();
    r.load_average = load_average();
}

double gflops_of(const RunReport& r)
{
    return r.rates.empty()
               ? 0
               : 1e-9 * flops_a_site(r) * double(volume(r.problem.lattice)) * median(r.rates);
}

std::size_t bytes_of(const RunSpec& o, const RunPlan& plan)
{
    if (o.method.stencil())
        return StudySolve::bytes(plan.lattice, int(volume(plan.tiles())), study_problem_of(o));
    const std::size_t state = o.execution.checkpoint().empty() && o.execution.resume().empty()
                                  ? 0
                                  : DiracSolve::state_bytes(plan.lattice, problem_of(o));
    return std::size_t(plan.largest_share() *
                       double(DiracSolve::bytes(plan.tiling(), problem_of(o),
                                                !o.method.iterations(), *o.execution.rhs()) +
                              state));
}

void announce_memory(std::size_t bytes, MachineFacts facts, const OutputSpec& o,
                     const Ranks& ranks = one_rank())
{
    facts.available_bytes /= ranks.local_size();
    constexpr double mib = 1 << 20;
    const std::size_t trace = o.trace_fxt().empty() ? 0 : FxtTrace::memory;
    if (!o.quiet())
        std::cout << fmt::format("memory          {:.1f} MiB for links, spinors and faces{}{}\n",
                                 double(bytes) / mib, ranks.several() ? " of each rank" : "",
                                 trace ? fmt::format("; {:.0f} for the trace", trace / mib) : "")
                  << std::flush;
    require_memory("the solve", bytes + trace, facts);
}

std::optional<Session> start_session(const RunSpec& o, const Extents& lattice,
                                     const MachineFacts& facts, Ranks& ranks)
{
    const SessionOptions options = workers_for(
        o, lattice, int(cuda_devices_for({.ranks = ranks.several() ? &ranks : nullptr}).size()),
        facts.cores, ranks, [&](const std::string& choice) {
            if (!o.output.quiet()) std::cout << "GPUs            " << choice << '\n';
        });
    leave_opencl_out(options);
    return std::optional<Session>(std::in_place, options);
}

/// What would run. No field is allocated.
void print_plan(const RunSpec& o, const RunReport& r)
{
    print_plan(std::cout, *r.plan, r.command);
    if (o.method.stencil()) return; // its tasks are counted as they are submitted
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
RunReport solve_with_baseline(const RunSpec& o, ObservedGauge& gauge, const SpinorSource& source)
{
    RunReport r;
    r.problem = describe(o.problem, gauge, source, o.method.precision());
    fill_problem_part(r, o);
    baseline::Problem p{};
    p.lattice = gauge.extents();
    p.kappa = kappa_of(o.problem);
    p.mubar = o.problem.mubar();
    p.antiperiodic = o.problem.antiperiodic();
    p.even_odd = *o.method.even_odd();
    p.solver = to_string(*o.method.solver());
    p.tol = o.method.iterations() ? 0 : *o.method.tolerance();
    p.max_iterations = *o.method.max_iterations();
    p.exact_iterations = o.method.iterations().value_or(-1);
    p.interrupt = &stop_requested;
    std::optional<Progress> progress;
    p.progress = [&](int iteration, double residual) { progress->update(iteration, residual); };
    const MachineFacts facts = probe_machine();
    p.threads =
        o.execution.engine() == Engine::sequential ? 1 : o.execution.cpus().value_or(facts.cores);
    r.workers.cpu = p.threads;
    note(crowding("threads", p.threads, "hardware threads", facts.threads, facts), o.output);
    r.command = equivalent_command(o, nullptr, {}, p.threads);
    Stopwatch clock;
    announce_memory(baseline::Engine<Real>::bytes(p) + gauge.bytes(), facts, o.output);
    if (o.output.dry_run()) return r;
    baseline::Engine<Real> engine(p, gauge);
    r.problem.observables = gauge.complete();
    r.seconds.setup = clock.lap();
    for (int i = 0; goes_on(i, o.execution.repeat()); ++i) {
        progress.emplace(p.tol, o.method.iterations().value_or(p.max_iterations), o.output.quiet());
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
    save_solution(r, o, one_rank(),
                  [&](SpinorWriter& file) { add_solution(engine, gauge.extents(), file); });
    return r;
}

/// The JSON and the traces; one that fails does not cost the others.
void write_files(const RunSpec& options, const RunReport& r, std::optional<Recorders>& recorders,
                 Ranks& ranks)
{
    const OutputSpec& o = options.output;
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
        if (o.json().empty()) return;
        leave_opencl_out(
            session_options(options.execution, false, ranks)); // the plain engines have not said so
        write_json(o.json(), with_provenance(to_json(r), o, find_devices(), starpu_build()));
    });
    if (recorders) recorders->write(r, o, attempt);
    if (!failures.line.empty()) throw Error(failures.line, failures.status);
}

} // namespace

RunReport run_with_starpu(RunSpec o, const ObservedGauge& gauge, const SpinorSource& source,
                          Ranks& ranks, const PlannedRun& run, const std::string& words)
{
    require_possible(o, {}, ranks.several() ? Asker::ranks : Asker::one_process);
    RunReport r;
    r.problem = describe(o.problem, gauge, source, o.method.precision());
    fill_problem_part(r, o);
    const Extents lattice = gauge.extents();
    const MachineFacts facts = probe_machine();
    Stopwatch clock;
    std::optional<Session> session = start_session(o, lattice, facts, ranks);
    note(crowding("CPU workers", session->workers().cores(), "cores", facts.cores, facts),
         o.output);
    note(too_few_cores(session->workers(), facts.cores, ranks), o.output);
    note(gpus_of_ranks(session->workers(), ranks), o.output);
    if (!o.execution.rhs())
        o.execution.rhs =
            rhs_that_fit(o, lattice, workers_of(*session), std::size_t(facts.available_bytes));
    std::optional<SplitLayout> layout;
    if (o.execution.split()) {
        SplitChoice choice = choose_split(o, lattice, session);
        r.split = choice.report;
        layout = choice.layout;
    }
    r.plan = make_plan(o, lattice, workers_of(*session), layout ? &*layout : nullptr);
    r.workers = session->workers();
    r.bus_gb_per_s = session->bus_gb_per_s();
    const auto share = layout ? std::optional(r.split->device_share) : std::nullopt;
    r.command = equivalent_command(o, &*r.plan, share, 0, words);
    const std::size_t bytes = bytes_of(o, *r.plan) + bytes_to_read(gauge, o.problem);
    if (o.output.dry_run() && ranks.speaks()) print_plan(o, r);
    announce_memory(bytes, facts, o.output, ranks);
    if (o.output.dry_run()) return r;
    r.seconds.setup = clock.lap();
    run(r, *session, *r.plan);
    return r;
}

RunReport solve_with_starpu(const RunSpec& o, ObservedGauge& gauge, const SpinorSource& source,
                            Ranks& ranks, RunObserver* observer, const Beginning& beginning)
{
    return run_with_starpu(o, gauge, source, ranks,
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

RunReport solve_by_itself(const RunSpec& asked, Ranks& ranks, RunObserver* observer)
{
    RunSpec o = completed(asked);
    const auto gauge = open_problem_gauge(o.problem, o.output, ranks);
    if (!o.method.links()) o.method.links = default_links(*gauge, o.method.precision());
    const auto source = open_problem_source(o.problem, gauge->extents(), o.output);
    RunReport r = solve_with_starpu(o, *gauge, *source, ranks, observer);
    if (!r.interrupted) complete(r);
    return r;
}

int run_solve(const SolveSpec& asked, Ranks& ranks)
{
    std::string chosen;
    RunSpec o = completed(asked.run, &chosen);
    note(chosen, o.output);
    if (!o.execution.checkpoint().empty()) handle_checkpoint_signal();
    const auto gauge = open_problem_gauge(o.problem, o.output, ranks);
    const bool plain = o.execution.engine() != Engine::starpu; // has all reals of the links
    if (!o.method.links())
        o.method.links = plain ? LinkStorage::full : default_links(*gauge, o.method.precision());
    const auto sources =
        open_problem_sources(o.problem, *o.execution.rhs(), gauge->extents(), o.output);
    const auto& source = sources.front();
    const auto guess = open_guess(o, gauge->extents());
    try_solution_file(o, gauge->extents(), ranks);
    const auto checkpointing = open_checkpoints(o, gauge->extents(), *source);
    std::optional<Recorders> recorders;
    if (!plain && !o.output.dry_run()) recorders.emplace(o, ranks);
    const bool doubles = o.method.precision() == Precision::f64;
    RunReport r =
        !plain    ? solve_with_starpu(o, *gauge, *source, ranks, recorders ? &*recorders : nullptr,
                                      {guess.get(), checkpointing.get(), sources})
        : doubles ? solve_with_baseline<double>(o, *gauge, *source)
                  : solve_with_baseline<float>(o, *gauge, *source);
    if (o.output.dry_run()) {
        if (!r.plan && !o.output.quiet()) std::cout << "command         " << r.command << '\n';
        return exit_converged;
    }
    complete(r);
    if (!o.output.quiet()) print_text(std::cout, r);
    write_files(o, r, recorders, ranks);
    return exit_status(r);
}

} // namespace qcd
