#include "drivers/run/with_starpu.hpp"

#include "drivers/plan/command.hpp"
#include "drivers/plan/ladder_plan.hpp"
#include "drivers/plan/schedule_file.hpp"
#include "drivers/plan/worker_choice.hpp"
#include "drivers/run/spinor_files.hpp"
#include "drivers/run/split.hpp"
#include "drivers/run/verification.hpp"
#include "drivers/spec/rules.hpp"
#include "program/complain.hpp"
#include "program/stopwatch.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/ranks.hpp"
#include "solver/dirac_solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <optional>

namespace qcd
{

namespace
{

double gflops_of(const RunReport& r)
{
    return r.rates.empty()
               ? 0
               : 1e-9 * flops_a_site(r) * double(volume(r.problem.lattice)) * median(r.rates);
}

std::size_t bytes_of(const RunSpec& o, const RunPlan& plan)
{
    if (o.method.ladder())
        return LadderSolve::bytes(plan.lattice, int(volume(plan.tiles())), ladder_problem_of(o));
    const std::size_t state = o.execution.checkpoint().empty() && o.execution.resume().empty()
                                  ? 0
                                  : std::size_t(*o.execution.rhs()) *
                                        DiracSolve::state_bytes(plan.lattice, problem_of(o));
    return std::size_t(plan.largest_share() *
                       double(DiracSolve::bytes(plan.tiling(), problem_of(o),
                                                !o.method.iterations(), *o.execution.rhs()) +
                              state));
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
    if (o.method.ladder()) return; // its tasks are counted as they are submitted
    const long tasks = DiracSolve::tasks_an_iteration(r.plan->tiling(), problem_of(o));
    std::cout << fmt::format("tasks           {}\n",
                             r.plan->collects()
                                 ? fmt::format("{} for {} iterations, of {} operations each",
                                               r.workers.all(), r.plan->iterations, tasks)
                                 : fmt::format("{} an iteration", tasks));
}

} // namespace

RunReport run_with_starpu(RunSpec o, const ObservedGauge& gauge, const SpinorSource& source,
                          Ranks& ranks, const PlannedRun& run, const std::string& words)
{
    require_possible(o, {}, ranks.several() ? Asker::ranks : Asker::one_process);
    RunReport r;
    r.problem = describe(o.problem, gauge, source, o.method.precision());
    describe_run(r, o);
    const Extents lattice = gauge.extents();
    const MachineFacts facts = probe_machine();
    Stopwatch clock;
    std::optional<Session> session = start_session(o, lattice, facts, ranks);
    note_workers(session->workers(), facts, ranks, o.output.quiet());
    if (!o.execution.rhs())
        o.execution.rhs =
            rhs_that_fit(o, lattice, workers_of(*session), std::size_t(facts.available_bytes));
    std::optional<SplitLayout> layout;
    if (o.execution.split()) {
        SplitChoice choice = choose_split(o, lattice, session);
        r.split = choice.report;
        if (r.split->budget > 0 && !o.output.quiet())
            std::cout << "split           " << r.split->decision() << '\n';
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
    try {
        if (!o.output.save_schedule().empty())
            write_schedules(o.output.save_schedule(), *r.plan->schedules);
    } catch (const Error& e) {
        r.add_unsaved(e.what());
    }
    return r;
}

RunReport solve_with_starpu(const RunSpec& o, ObservedGauge& gauge, const SpinorSource& source,
                            Ranks& ranks, RunObserver* observer, const Beginning& beginning)
{
    return run_with_starpu(o, gauge, source, ranks,
                           [&](RunReport& r, const Session& session, const RunPlan& plan) {
                               if (!beginning.guesses.empty()) {
                                   r.guess = beginning.guesses.front()->description();
                                   r.guess_phases = beginning.guesses.front()->phases();
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

} // namespace qcd
