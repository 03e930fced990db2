#include "api/library.hpp"

#include "api/option_text.hpp"
#include "drivers/plan/worker_choice.hpp"
#include "drivers/run/verification.hpp"
#include "drivers/spec/dirac_problem.hpp"
#include "program/all_places.hpp"
#include "program/stopwatch.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/ranks.hpp"

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

RunSpec options_of(const OpenSession& session, const qcd_problem& p)
{
    RunSpec o = parse_problem_options(p.options ? p.options : "", extents_of(p), p.kappa, p.mubar,
                                      p.tolerance);
    const auto tiles = o.execution.tiles();
    o.execution = session.options.execution;
    o.execution.tiles = tiles;
    if (!o.method.links()) o.method.links = LinkStorage::full;
    return o;
}

RunPlan plan_of(const OpenSession& session, const RunSpec& o)
{
    RunPlan plan = make_plan(o, *o.problem.lattice(), workers_of(session.session));
    require_memory("the solve", DiracSolve::bytes(plan.tiling(), problem_of(o)), probe_machine());
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

OpenSolver::OpenSolver(std::shared_ptr<OpenSession> session, const qcd_problem& p)
    : OpenSolver(session, p, options_of(*session, p))
{
}

OpenSolver::OpenSolver(std::shared_ptr<OpenSession> session, const qcd_problem& p, const RunSpec& o)
    : session_(std::move(session)), options_(o), plan_(plan_of(*session_, o)),
      plan_line_(to_string(plan_)), graph_(plan_.tiling(), plan_), solve_([&]() -> DiracSolve {
          MemoryGauge gauge(plan_.lattice, p.links, o.problem.theta());
          return DiracSolve(graph_, problem_of(o), gauge);
      }())
{
}

qcd_status OpenSolver::solve(const qcd_const_spinor& b, const qcd_spinor& x, bool x_is_guess,
                             qcd_report& report)
{
    const MemorySpinor source(plan_.lattice, b, "b");
    if (!x.data) throw Error("x: there is no array (NULL)");
    solve_.set_source(source);
    if (x_is_guess)
        solve_.set_guess(MemorySpinor(plan_.lattice, {x.data, x.site, x.spin, x.colour}, "x"));
    const long tasks = graph_.tasks();
    SolveControl control;
    control.tol = options_.method.tolerance().value();
    control.max_iterations = options_.method.max_iterations().value();
    Stopwatch clock;
    const SolveReport done = solve_.solve(control, x_is_guess ? Guess::x : Guess::zero);
    report.seconds = clock.lap();
    report.tasks = graph_.tasks() - tasks;
    const SolutionSums sums = solve_.verify();
    RunReport r = facts_of(options_, done, sums);
    verify(r);
    report.iterations = done.iterations;
    report.residual = sums.residual;
    report.iterated = done.residual;
    report.norm2 = sums.norm2;
    report.digest = solve_.digest_of_x();
    const qcd_spinor out = with_strides(x);
    solve_.visit_x([&](const Coord& c, const double* s) { store_site(plan_.lattice, out, c, s); });
    return qcd_status(exit_status(r));
}

} // namespace qcd
