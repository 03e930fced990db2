// The C functions: no exception leaves them.
// Sessions and solvers; fields are in fields.cpp.
#include "api/guarded.hpp"
#include "api/library.hpp"
#include "api/option_text.hpp"
#include "program/version.hpp"

#include <span>
#include <vector>

struct qcd_session {
    std::shared_ptr<qcd::OpenSession> open;
};
struct qcd_solver {
    qcd::OpenSolver open;
};

using qcd::guarded;
using qcd::require;
using qcd::say;

namespace
{

qcd_status solve(qcd::OpenSolver& solver, std::span<const qcd_const_spinor> b,
                 std::span<const qcd_spinor> x, bool x_are_guesses, qcd_report* reports,
                 qcd_error* error)
{
    std::vector<qcd_report> own(b.size());
    const std::vector<qcd_status> all = solver.solve(b, x, x_are_guesses, own);
    if (reports) std::copy(own.begin(), own.end(), reports);
    const auto worst = std::max_element(all.begin(), all.end());
    const qcd_report& r = own[std::size_t(worst - all.begin())];
    if (*worst == QCD_NOT_CONVERGED)
        say(error, *worst,
            fmt::format("{}: |b - D x|/|b| is {:.3e} after {} iterations",
                        solver.was_stopped() ? "interrupted" : "not converged", r.residual,
                        r.iterations)
                .c_str());
    if (*worst == QCD_VERIFY_FAILED)
        say(error, *worst,
            fmt::format("|b - D x|/|b| is {:.3e}, and the method says {:.3e}", r.residual,
                        r.iterated)
                .c_str());
    return *worst;
}

qcd_solver* open_solver(qcd_session* session, const qcd_problem* problem,
                        qcd::OpenSolver::Sources sources, qcd_error* error)
{
    qcd_solver* solver = nullptr;
    guarded(error, [&] {
        require(session, "session");
        require(problem, "problem");
        solver = new qcd_solver{qcd::OpenSolver(session->open, *problem, sources)};
        return QCD_DONE;
    });
    return solver;
}

} // namespace

qcd_session* qcd_session_open(const char* options, qcd_error* error)
{
    qcd_session* session = nullptr;
    guarded(error, [&] {
        session = new qcd_session{
            std::make_shared<qcd::OpenSession>(qcd::parse_session_options(options ? options : ""))};
        return QCD_DONE;
    });
    return session;
}

void qcd_session_close(qcd_session* session) { delete session; }

qcd_solver* qcd_solver_open(qcd_session* session, const qcd_problem* problem, qcd_error* error)
{
    return open_solver(session, problem, qcd::OpenSolver::Sources::any, error);
}

qcd_solver* qcd_solver_open_propagator(qcd_session* session, const qcd_problem* problem,
                                       qcd_error* error)
{
    return open_solver(session, problem, qcd::OpenSolver::Sources::twelve, error);
}

void qcd_solver_close(qcd_solver* solver) { delete solver; }

const char* qcd_solver_plan(const qcd_solver* solver)
{
    return solver ? solver->open.plan().c_str() : "";
}

const char* qcd_solver_command(const qcd_solver* solver)
{
    return solver ? solver->open.command().c_str() : "";
}

int qcd_solver_rhs(const qcd_solver* solver) { return solver ? solver->open.rhs() : 0; }

void qcd_solver_stop(qcd_solver* solver)
{
    if (solver) solver->open.stop();
}

qcd_status qcd_solver_apply(qcd_solver* solver, qcd_const_spinor x, qcd_spinor y, qcd_error* error)
{
    return guarded(error, [&] {
        require(solver, "solver");
        solver->open.apply(x, y);
        return QCD_DONE;
    });
}

qcd_status qcd_solver_solve(qcd_solver* solver, qcd_const_spinor b, qcd_spinor x, int x_is_guess,
                            qcd_report* report, qcd_error* error)
{
    return guarded(error, [&] {
        require(solver, "solver");
        return solve(solver->open, {&b, 1}, {&x, 1}, x_is_guess != 0, report, error);
    });
}

qcd_status qcd_solver_solve_all(qcd_solver* solver, int count, const qcd_const_spinor* b,
                                const qcd_spinor* x, int x_are_guesses, qcd_report* reports,
                                qcd_error* error)
{
    return guarded(error, [&] {
        require(solver, "solver");
        require(b, "b");
        require(x, "x");
        const std::size_t rhs = std::size_t(std::max(0, count));
        return solve(solver->open, {b, rhs}, {x, rhs}, x_are_guesses != 0, reports, error);
    });
}

qcd_status qcd_solve(qcd_session* session, const qcd_problem* problem, qcd_const_spinor b,
                     qcd_spinor x, qcd_report* report, qcd_error* error)
{
    return guarded(error, [&] {
        require(session, "session");
        require(problem, "problem");
        qcd::OpenSolver solver(session->open, *problem);
        return solve(solver, {&b, 1}, {&x, 1}, false, report, error);
    });
}

const char* qcd_version() { return qcd::version().data(); }
