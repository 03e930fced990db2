#include "drivers/simulation/simulated_run.hpp"

#include "drivers/machine/kernel_rates.hpp"
#include "drivers/plan/command.hpp"
#include "drivers/plan/worker_choice.hpp"
#include "drivers/run/problem.hpp"
#include "drivers/run/solve_case.hpp"
#include "drivers/run/spinor_files.hpp"
#include "drivers/simulation/simulated_workers.hpp"
#include "drivers/spec/commands.hpp"
#include "drivers/spec/rules.hpp"
#include "program/json_file.hpp"
#include "program/provenance.hpp"
#include "program/stopwatch.hpp"
#include "runtime/evictions.hpp"
#include "runtime/transfers.hpp"
#include "solver/dirac_solve.hpp"
#include "tasks/host_access.hpp"
#include "traces/recording.hpp"
#include "traces/trace_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <iostream>

namespace qcd
{

namespace
{

TaskTimes times_of(const SimulatedMachine& m, int workers)
{
    TaskTimes times(m.times, workers);
    times.set_submit_seconds(m.submit_seconds);
    times.set_task_seconds("CPU", m.task_seconds);
    times.set_task_seconds("CUDA", m.cuda.task_seconds);
    times.set_task_seconds("OpenCL", m.opencl.task_seconds);
    return times;
}

RunPlan plan_of(const RunSpec& o, const Extents& lattice, const Session& session,
                const SimulatedMachine& m)
{
    Workers w = workers_of(session);
    if (m.cache_bytes > 0) w.cache_bytes = double(m.cache_bytes) * w.counts.cores();
    const RunPlan plan = make_plan(o, lattice, w);
    if (plan.kind != PlanKind::replay) return plan;
    RunSpec graph = o; // of a replay the graph is what can be foreseen
    graph.execution.plan = PlanChoice{PlanKind::graph, {}};
    return make_plan(graph, lattice, w);
}

void describe_solve(RunReport& r, const RunSpec& o)
{
    r.solver = to_string(o.method.solver().value());
    r.even_odd = o.method.even_odd().value();
    r.links = reals(*o.method.links());
    r.fixed_iterations = true;
    r.iterations = *o.method.iterations();
}

/// What goes before the solve on devices: it brings links and source there, and StarPU's memory
/// into use.
void warm_up(SolveCase& problem, const Session& session)
{
    if (session.workers().only_cores()) return;
    for (int i = 0; i < 2; ++i) {
        problem.prepare();
        problem.iterate({.tol = 0, .max_iterations = 1, .progress = {}});
    }
}

/// Seconds of the solve, and what was recorded of it.
Trace solve(RunReport& r, const RunSpec& o, SolveCase& problem, const Session& session)
{
    const Profiling profiling;
    warm_up(problem, session);
    std::optional<Transfers> transfers(std::in_place);
    std::optional<Evictions> evictions(std::in_place);
    Events events(problem.graph(), Events::Keep::all);
    GraphRecord record(problem.graph());
    const long first = problem.graph().operations();
    session.traffic();
    session.work();
    const long before = problem.graph().tasks();
    const double began = Events::now();
    const std::vector<SolveReport> reports = problem.solve(
        {.tol = 0, .max_iterations = *o.method.iterations(), .progress = {}}, Guess::zero);
    r.operator_applications = reports.front().operator_applications;
    r.add_time(Events::now() - began);
    const std::vector<WorkDone> work = session.work();
    r.all_tasks = r.tasks = problem.graph().tasks() - before;
    const Traffic traffic = session.traffic();
    r.bytes_moved = traffic.bytes;
    r.seconds.bus = traffic.seconds;
    r.kernels = rates_of(events.times(), session.workers());
    const std::vector<Event> all = events.take();
    return make_trace(all, {transfers->take(), evictions->take(), work, &record.tasks(), first},
                      events.began());
}

std::vector<std::pair<std::string, std::string>> about(const RunReport& r, const OutputSpec& o,
                                                       const SimulatedMachine& m)
{
    return {{"command", r.command},
            {"arguments", fmt::format("{}", fmt::join(o.call.arguments, " "))},
            {"program", version_line()},
            {"date", utc(o.call.started)},
            {"simulated machine", m.name},
            {"starpu", starpu_build().version},
            {"lattice", to_string(r.plan->lattice)},
            {"tiles", to_string(r.plan->tiles())},
            {"plan", to_string(*r.plan)}};
}

} // namespace

ExitStatus run_simulated(const SimulateSpec& options, const SimulatedMachine& m, Ranks& ranks)
{
    RunSpec o = completed(options.run);
    std::optional<TraceFolder> folder;
    if (!o.output.trace().empty()) folder.emplace(o.output.trace());
    const auto gauge = open_problem_gauge(o.problem, o.output);
    if (!o.method.links()) o.method.links = default_links(*gauge, o.method.precision());
    const auto source = open_problem_source(o.problem, gauge->extents(), o.output);
    RunReport r;
    r.problem = describe(o.problem, *gauge, *source, o.method.precision());
    describe_solve(r, o);
    Trace trace;
    {
        Stopwatch clock;
        const Session session(simulated_workers(o, gauge->extents(), m, ranks));
        RunPlan plan = plan_of(o, gauge->extents(), session, m);
        const TaskTimes times = times_of(m, session.workers().all());
        plan.times = &times;
        r.plan = plan;
        r.workers = session.workers();
        r.bus_gb_per_s = session.bus_gb_per_s();
        r.command = equivalent_command(o, &plan);
        const auto problem = make_case(o, plan, *gauge, *source);
        trace = solve(r, o, *problem, session);
        r.seconds.setup = clock.lap();
    }
    r.seconds.solve = r.repeats.front();
    r.gflops = 1e-9 * flops_a_site(r) * double(volume(r.plan->lattice)) *
               double(r.operator_applications) / r.seconds.solve;
    if (!o.output.quiet()) print_simulation(std::cout, r, m);
    if (!o.output.json().empty())
        write_json(o.output.json(),
                   with_provenance(simulation_json(r, m), options.run.output, {}, starpu_build()));
    if (!folder) return exit_converged;
    trace.about = about(r, options.run.output, m);
    const Profile profile = make_profile(trace);
    folder->write(trace, profile);
    if (!o.output.quiet()) print_text(std::cout, profile);
    return exit_converged;
}

} // namespace qcd
