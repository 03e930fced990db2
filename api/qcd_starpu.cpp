// The C functions: no exception leaves them.
#include "api/library.hpp"
#include "api/option_text.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "lattice/files/spinor_file.hpp"
#include "lattice/gauge_observables.hpp"
#include "program/version.hpp"
#include "tasks/quenched_gauge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

struct qcd_session {
    std::shared_ptr<qcd::OpenSession> open;
};
struct qcd_solver {
    qcd::OpenSolver open;
};

namespace
{

qcd_status say(qcd_error* error, qcd_status status, const char* what)
{
    if (!error) return status;
    error->status = status;
    const std::string line = qcd::one_line(what);
    const std::size_t length = std::min(line.size(), sizeof error->message - 1);
    std::memcpy(error->message, line.data(), length);
    error->message[length] = '\0';
    return status;
}

/// What `call` returns, or the status of what it throws.
template <class Call>
qcd_status guarded(qcd_error* error, const Call& call)
{
    say(error, QCD_DONE, "");
    try {
        return call();
    } catch (const std::exception& e) {
        const auto [line, status] = qcd::failure_of(e);
        return say(error, qcd_status(status), line.c_str());
    } catch (...) {
        return say(error, QCD_BAD_INPUT, "an exception that is not one of C++");
    }
}

void require(const void* pointer, const char* name)
{
    if (!pointer) throw qcd::Error(fmt::format("{}: NULL", name));
}

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
            fmt::format("not converged: |b - D x|/|b| is {:.3e} after {} iterations", r.residual,
                        r.iterations)
                .c_str());
    if (*worst == QCD_VERIFY_FAILED)
        say(error, *worst,
            fmt::format("|b - D x|/|b| is {:.3e}, and the method says {:.3e}", r.residual,
                        r.iterated)
                .c_str());
    return *worst;
}

qcd::Extents lattice_of(const int extents[4])
{
    require(extents, "extents");
    const qcd::Extents l{extents[0], extents[1], extents[2], extents[3]};
    qcd::require_lattice(l, "extents");
    return l;
}

/// Generated, or the only spinor of a file that is good. angles: of the boundaries, where they are
/// known.
std::unique_ptr<qcd::SpinorSource> open_source(const char* source, const qcd::Extents& lattice,
                                               const std::optional<qcd::Theta>& angles)
{
    if (qcd::is_generated_source(source)) return qcd::open_spinor_source(source, lattice);
    const qcd::SpinorFile file = qcd::open_spinor_file(source, lattice, {.angles = angles});
    if (file.spinors() != 1)
        throw qcd::Error(fmt::format("{}: there are {} spinors", source, file.spinors()));
    if (file.phases() == qcd::BoundaryPhases::spread && !file.angles())
        throw qcd::Error(fmt::format("{}: its boundary phases are spread over all links, by angles "
                                     "that are not known here: qcd_read_source_for() takes those "
                                     "of a problem",
                                     source));
    file.verify();
    return file.spinor(0);
}

void read_source(const char* source, const qcd::Extents& lattice,
                 const std::optional<qcd::Theta>& angles, double* b)
{
    require(source, "source");
    require(b, "b");
    const auto spinor = open_source(source, lattice, angles);
    for (long site = 0; site < qcd::volume(lattice); ++site)
        spinor->site(qcd::coordinates(lattice, site), b + 24 * site);
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
    qcd_solver* solver = nullptr;
    guarded(error, [&] {
        require(session, "session");
        require(problem, "problem");
        solver = new qcd_solver{qcd::OpenSolver(session->open, *problem)};
        return QCD_DONE;
    });
    return solver;
}

void qcd_solver_close(qcd_solver* solver) { delete solver; }

const char* qcd_solver_plan(const qcd_solver* solver)
{
    return solver ? solver->open.plan().c_str() : "";
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

qcd_status qcd_read_gauge(const char* field, const int extents[4], double* links, qcd_error* error)
{
    return guarded(error, [&] {
        require(field, "field");
        require(links, "links");
        const auto source = qcd::open_any_gauge(field, lattice_of(extents));
        qcd::GaugeMeasurement measurement(source->extents());
        for (int t = 0; t < source->extents()[3]; ++t) {
            const std::span<double> slice(links + t * source->slice_reals(), source->slice_reals());
            source->read_slice(t, slice);
            measurement.add_slice(t, slice);
        }
        source->finish(measurement.result());
        return QCD_DONE;
    });
}

qcd_status qcd_read_source(const char* source, const int extents[4], double* b, qcd_error* error)
{
    return guarded(error, [&] {
        read_source(source, lattice_of(extents), {}, b);
        return QCD_DONE;
    });
}

qcd_status qcd_read_source_for(const qcd_problem* problem, const char* source, double* b,
                               qcd_error* error)
{
    return guarded(error, [&] {
        require(problem, "problem");
        const qcd::Extents lattice = lattice_of(problem->extents);
        const auto o =
            qcd::parse_problem_options(problem->options ? problem->options : "", lattice,
                                       problem->kappa, problem->mubar, problem->tolerance);
        read_source(source, lattice,
                    qcd::boundary_angles(o.problem.antiperiodic(), o.problem.theta()), b);
        return QCD_DONE;
    });
}

const char* qcd_version() { return qcd::version().data(); }
