#include "api/library.hpp"

#include "api/option_text.hpp"
#include "drivers/plan/command.hpp"
#include "drivers/plan/worker_choice.hpp"
#include "drivers/run/verification.hpp"
#include "drivers/spec/dirac_problem.hpp"
#include "drivers/spec/rules.hpp"
#include "program/all_places.hpp"
#include "program/stopwatch.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/ranks.hpp"

#include <fmt/format.h>
#include <starpu.h>

namespace qcd
{

namespace
{

SessionOptions started_alone(const RunSpec& o)
{
    if (starpu_is_initialized())
        throw Error("session: StarPU runs already in this process: close the session before");
    SessionOptions s = workers_for(o, o.problem.lattice().value(), int(cuda_devices().size()),
                                   probe_machine().cores, one_rank(), [](const std::string&) {});
    s.stop = nullptr; // signals, and the end of the process, are the caller's
    s.end_stalled = nullptr;
    return s;
}

Extents extents_of(const qcd_problem& p)
{
    return {p.extents[0], p.extents[1], p.extents[2], p.extents[3]};
}

/// A problem's own, on the session's workers.
ExecutionSpec execution_of(const OpenSession& session, const ExecutionSpec& problem)
{
    ExecutionSpec e = session.options.execution;
    e.tiles = problem.tiles();
    e.rhs = problem.rhs();
    if (problem.plan()) e.plan = problem.plan();
    return e;
}

RunSpec options_of(const OpenSession& session, const qcd_problem& p, OpenSolver::Sources sources)
{
    const bool twelve = sources == OpenSolver::Sources::twelve;
    const RunSpec asked = parse_problem_options(p.options ? p.options : "", extents_of(p), p.kappa,
                                                p.mubar, p.tolerance);
    RunSpec o = completed(twelve ? with_method_of_twelve(asked) : asked);
    o.execution = execution_of(session, o.execution);
    if (!o.method.links())
        o.method.links = default_links(MemoryGauge(extents_of(p), p.links, o.problem.theta()),
                                       o.method.precision());
    if (twelve && !asked.execution.rhs())
        o.execution.rhs = rhs_that_fit(o, extents_of(p), workers_of(session.session),
                                       std::size_t(probe_machine().available_bytes));
    return o;
}

/// Gauge field and source are arrays, which have no name here.
std::string command_of(RunSpec o, const RunPlan& plan)
{
    o.problem.gauge = "FIELD";
    o.problem.source = "SOURCE";
    return equivalent_command(o, &plan);
}

RunPlan plan_of(const OpenSession& session, const RunSpec& o)
{
    RunPlan plan = make_plan(o, *o.problem.lattice(), workers_of(session.session));
    require_memory("the solve", DiracSolve::bytes(plan.tiling(), problem_of(o), true, plan.rhs),
                   probe_machine());
    return plan;
}

/// What verify() looks at.
RunReport facts_of(const RunSpec& o, const SolveReport& s, const SolutionSums& sums)
{
    RunReport r;
    r.problem.kappa = kappa_of(o.problem);
    r.problem.mubar = o.problem.mubar();
    r.problem.precision = to_string(o.method.precision());
    r.iterations = s.iterations;
    r.converged = s.converged;
    r.residual.requested = o.method.tolerance().value();
    r.residual.iterated = s.residual;
    r.residual.recomputed = sums.residual;
    r.solution.norm2 = sums.norm2;
    r.solution.x_over_b = sums.x_over_b;
    return r;
}

} // namespace

OpenSession::OpenSession(RunSpec o)
    : options(std::move(o)), session([&]() -> Session {
          const AllPlaces all; // StarPU's threads are not bound to the caller's place
          return Session(started_alone(options));
      }())
{
}

OpenSolver::OpenSolver(std::shared_ptr<OpenSession> session, const qcd_problem& p, Sources sources)
    : OpenSolver(session, p, options_of(*session, p, sources))
{
}

OpenSolver::OpenSolver(std::shared_ptr<OpenSession> session, const qcd_problem& p, const RunSpec& o)
    : session_(std::move(session)), options_(o), plan_(plan_of(*session_, o)),
      plan_line_(to_string(plan_)), command_(command_of(o, plan_)),
      graph_(plan_.tiling(), plan_, {1, 1, 1, 1}, plan_.rhs), solve_([&]() -> DiracSolve {
          MemoryGauge gauge(plan_.lattice, p.links, o.problem.theta());
          return DiracSolve(graph_, problem_of(o), gauge);
      }())
{
}

std::vector<qcd_status> OpenSolver::solve(std::span<const qcd_const_spinor> b,
                                          std::span<const qcd_spinor> x, bool x_are_guesses,
                                          std::span<qcd_report> reports)
{
    stop_ = false;
    const std::size_t rhs = std::size_t(plan_.rhs);
    if (b.size() != rhs)
        throw Error(
            fmt::format("solver: made for {} right-hand sides (--rhs), not for {}", rhs, b.size()));
    for (std::size_t i = 0; i < rhs; ++i) {
        const MemorySpinor source(plan_.lattice, b[i], "b");
        if (!x[i].data) throw Error("x: there is no array (NULL)");
        solve_.set_source(source, int(i));
        if (x_are_guesses)
            solve_.set_guess(
                MemorySpinor(plan_.lattice, {x[i].data, x[i].site, x[i].spin, x[i].colour}, "x"),
                int(i));
    }
    const long tasks = graph_.tasks();
    SolveControl control;
    control.tol = options_.method.tolerance().value();
    control.max_iterations = options_.method.max_iterations().value();
    control.stop = &stop_;
    Stopwatch clock;
    const std::vector<SolveReport> done =
        solve_.solve(control, x_are_guesses ? Guess::x : Guess::zero);
    const double seconds = clock.lap();
    const long made = graph_.tasks() - tasks;
    const std::vector<SolutionSums> sums = solve_.verify_all();
    std::vector<qcd_status> status;
    for (std::size_t i = 0; i < rhs; ++i) {
        RunReport r = facts_of(options_, done[i], sums[i]);
        verify(r);
        reports[i] = {.iterations = done[i].iterations,
                      .residual = sums[i].residual,
                      .iterated = done[i].residual,
                      .norm2 = sums[i].norm2,
                      .digest = solve_.digest_of_x(int(i)),
                      .seconds = seconds,
                      .tasks = made};
        const qcd_spinor out = with_strides(x[i]);
        solve_.visit_x(
            [&](const Coord& c, const double* s) { store_site(plan_.lattice, out, c, s); }, int(i));
        status.push_back(qcd_status(exit_status(r)));
    }
    return status;
}

void OpenSolver::apply(const qcd_const_spinor& x, const qcd_spinor& y)
{
    const MemorySpinor psi(plan_.lattice, x, "x");
    if (!y.data) throw Error("y: there is no array (NULL)");
    const qcd_spinor out = with_strides(y);
    solve_.apply(psi,
                 [&](const Coord& c, const double* s) { store_site(plan_.lattice, out, c, s); });
}

} // namespace qcd
