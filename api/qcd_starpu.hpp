#pragma once
// The C functions of qcd_starpu.h as C++: objects that close themselves, words as values, and what
// is wrong as qcd::Error (docs/library.md). All of it is inline: what crosses the library is C.

#include <qcd_starpu.h>

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace qcd
{
inline namespace api // apart from the library's own names
{

using Extents = std::array<int, 4>; ///< LX, LY, LZ, LT

class Error : public std::runtime_error
{
public:
    explicit Error(const qcd_error& e) : std::runtime_error(e.message), status_(e.status) {}
    Error(qcd_status status, const std::string& line) : std::runtime_error(line), status_(status) {}
    qcd_status status() const { return status_; }

private:
    qcd_status status_;
};

enum class Method { cr, cg, bicgstab, gcr };
enum class Precision { f64, f32 };

/// How it is executed (docs/plans.md); what is left out is chosen.
struct Plan {
    std::string kind{};             ///< "graph", "pinned", "batch", "batch:8", "linked", ...
    std::optional<Extents> tiles{}; ///< number of tiles per direction
};

/// What computes; what is left out is chosen for the problem that stands here.
struct Workers {
    std::optional<int> cpus{}, cuda{}, opencl{}, cores_per_worker{};
    std::string scheduler{};          ///< StarPU's policy
    std::string scheduler_library{};  ///< file that has it; empty: StarPU
    std::optional<Extents> lattice{}; ///< none: 16x16x16x32
    Plan plan{};
};

/// D x = b but for b. Links are not kept.
struct Problem {
    Extents lattice{};
    qcd_links links{}; ///< strides of 0: [site][mu][row][column][re, im]
    double kappa = 0, mubar = 0;
    bool antiperiodic = true; ///< in t
    Method method = Method::cr;
    bool even_odd = true;
    Precision precision = Precision::f64;
    double tolerance = 0; ///< on |b - D x|/|b|; 0: 1e-10, in single precision 1e-4
    int max_iterations = 10000;
    int rhs = 1; ///< right-hand sides that are solved together (Solver::solve_all)
};

/// Not converging is a result: status says it.
struct Report : qcd_report {
    qcd_status status = QCD_DONE;
    std::string message{}; ///< "": converged and verified
    bool good() const { return status == QCD_DONE; }
};

namespace detail
{

inline std::string word(const char* option, const std::string& value)
{
    return std::string(" --") + option + "=" + value;
}

inline std::string text(const Extents& e)
{
    return std::to_string(e[0]) + "x" + std::to_string(e[1]) + "x" + std::to_string(e[2]) + "x" +
           std::to_string(e[3]);
}

inline std::string options(const Plan& p)
{
    return (p.kind.empty() ? "" : word("plan", p.kind)) +
           (p.tiles ? word("tiles", text(*p.tiles)) : "");
}

inline std::string options(const Workers& w)
{
    std::string all;
    const auto add = [&](const char* option, const std::optional<int>& number) {
        if (number) all += word(option, std::to_string(*number));
    };
    add("cpus", w.cpus);
    add("cuda", w.cuda);
    add("opencl", w.opencl);
    add("cores-per-worker", w.cores_per_worker);
    if (!w.scheduler.empty()) all += word("sched", w.scheduler);
    if (!w.scheduler_library.empty()) all += word("sched-lib", w.scheduler_library);
    if (w.lattice) all += word("lattice", text(*w.lattice));
    return all + options(w.plan);
}

inline std::string options(const Problem& p)
{
    const auto method = [](Method m) {
        constexpr const char* words[] = {"cr", "cg", "bicgstab", "gcr"};
        return words[int(m)];
    };
    return word("solver", method(p.method)) + word("even-odd", p.even_odd ? "on" : "off") +
           word("boundary", p.antiperiodic ? "antiperiodic" : "periodic") +
           word("precision", p.precision == Precision::f64 ? "double" : "single") +
           word("max-iterations", std::to_string(p.max_iterations)) +
           word("rhs", std::to_string(p.rhs));
}

inline std::size_t sites(const Extents& e)
{
    std::size_t product = 1;
    for (const int extent : e) product *= extent > 0 ? std::size_t(extent) : 0;
    return product;
}

inline void check(qcd_status status, const qcd_error& error)
{
    if (status != QCD_DONE) throw Error(error);
}

} // namespace detail

/// StarPU with its workers, until the last of it and of its solvers ends; one at a time.
class Session
{
public:
    explicit Session(const Workers& workers = {})
    {
        qcd_error error;
        session_.reset(qcd_session_open(detail::options(workers).c_str(), &error));
        if (!session_) throw Error(error);
    }
    qcd_session* get() const { return session_.get(); }

private:
    struct Close {
        void operator()(qcd_session* s) const { qcd_session_close(s); }
    };
    std::unique_ptr<qcd_session, Close> session_;
};

/// A problem on the workers of a session, for any number of sources.
class Solver
{
public:
    Solver(const Session& session, const Problem& problem, const Plan& plan = {})
        : reals_(24 * detail::sites(problem.lattice))
    {
        const std::string options = detail::options(problem) + detail::options(plan);
        qcd_problem p{};
        for (int mu = 0; mu < 4; ++mu) p.extents[mu] = problem.lattice[mu];
        p.kappa = problem.kappa;
        p.mubar = problem.mubar;
        p.tolerance = problem.tolerance;
        p.links = problem.links;
        p.options = options.c_str();
        qcd_error error;
        solver_.reset(qcd_solver_open(session.get(), &p, &error));
        if (!solver_) throw Error(error);
    }

    /// The plan in one line.
    std::string plan() const { return qcd_solver_plan(solver_.get()); }

    /// What to type for such a solve, with FIELD and SOURCE for the arrays.
    std::string command() const { return qcd_solver_command(solver_.get()); }

    /// Ends the solve that runs in another thread: it has not converged then.
    void stop() { qcd_solver_stop(solver_.get()); }

    /// y = D x.
    void apply(std::span<const double> x, std::span<double> y)
    {
        if (x.size() != reals_ || y.size() != reals_)
            throw Error(QCD_BAD_INPUT, "x, y: they have " + std::to_string(x.size()) + " and " +
                                           std::to_string(y.size()) + " doubles, not " +
                                           std::to_string(reals_));
        qcd_error error;
        detail::check(
            qcd_solver_apply(solver_.get(), {x.data(), 0, 0, 0}, {y.data(), 0, 0, 0}, &error),
            error);
    }

    /// b, x: [site][spin][colour][re, im].
    Report solve(std::span<const double> b, std::span<double> x, bool x_is_guess = false)
    {
        if (b.size() != reals_ || x.size() != reals_)
            throw Error(QCD_BAD_INPUT, "b, x: they have " + std::to_string(b.size()) + " and " +
                                           std::to_string(x.size()) + " doubles, not " +
                                           std::to_string(reals_));
        return solve(qcd_const_spinor{b.data(), 0, 0, 0}, qcd_spinor{x.data(), 0, 0, 0},
                     x_is_guess);
    }

    /// Solves for all right-hand sides of the problem at once; their b stand one after the
    /// other, and so do their x.
    std::vector<Report> solve_all(std::span<const double> b, std::span<double> x,
                                  bool x_are_guesses = false)
    {
        const std::size_t count = reals_ == 0 ? 0 : b.size() / reals_;
        if (b.size() != count * reals_ || x.size() != b.size())
            throw Error(QCD_BAD_INPUT, "b, x: they have " + std::to_string(b.size()) + " and " +
                                           std::to_string(x.size()) +
                                           " doubles, not as many times " + std::to_string(reals_));
        std::vector<qcd_const_spinor> from;
        std::vector<qcd_spinor> to;
        for (std::size_t i = 0; i < count; ++i) {
            from.push_back({b.data() + i * reals_, 0, 0, 0});
            to.push_back({x.data() + i * reals_, 0, 0, 0});
        }
        std::vector<qcd_report> plain(count);
        qcd_error error;
        const qcd_status status = qcd_solver_solve_all(
            solver_.get(), int(count), from.data(), to.data(), x_are_guesses, plain.data(), &error);
        if (status != QCD_NOT_CONVERGED && status != QCD_VERIFY_FAILED)
            detail::check(status, error);
        std::vector<Report> reports;
        for (const qcd_report& one : plain) reports.push_back({one, status, error.message});
        return reports;
    }

    /// solve() for fields with strides.
    Report solve(const qcd_const_spinor& b, const qcd_spinor& x, bool x_is_guess = false)
    {
        Report report{};
        qcd_error error;
        report.status = qcd_solver_solve(solver_.get(), b, x, x_is_guess, &report, &error);
        report.message = error.message;
        if (report.status != QCD_NOT_CONVERGED && report.status != QCD_VERIFY_FAILED)
            detail::check(report.status, error);
        return report;
    }

private:
    struct Close {
        void operator()(qcd_solver* s) const { qcd_solver_close(s); }
    };
    std::size_t reals_;
    std::unique_ptr<qcd_solver, Close> solver_;
};

/// One source.
inline Report solve(const Session& session, const Problem& problem, const Plan& plan,
                    std::span<const double> b, std::span<double> x)
{
    return Solver(session, problem, plan).solve(b, x);
}

/// Links of a gauge file or a generated field: [site][mu][row][column][re, im].
inline std::vector<double> read_gauge(const std::string& field, const Extents& lattice)
{
    std::vector<double> links(72 * detail::sites(lattice));
    qcd_error error;
    detail::check(qcd_read_gauge(field.c_str(), lattice.data(), links.data(), &error), error);
    return links;
}

/// A generated source, or the spinor of a file.
inline std::vector<double> read_source(const std::string& source, const Extents& lattice)
{
    std::vector<double> b(24 * detail::sites(lattice));
    qcd_error error;
    detail::check(qcd_read_source(source.c_str(), lattice.data(), b.data(), &error), error);
    return b;
}

/// Reads a source for a problem: boundary phases that a file spreads over all links, as tmLQCD's
/// do, are put at the boundary.
inline std::vector<double> read_source(const std::string& source, const Problem& problem)
{
    std::vector<double> b(24 * detail::sites(problem.lattice));
    const std::string options = detail::options(problem);
    qcd_problem p{};
    for (int mu = 0; mu < 4; ++mu) p.extents[mu] = problem.lattice[std::size_t(mu)];
    p.kappa = problem.kappa;
    p.mubar = problem.mubar;
    p.options = options.c_str();
    qcd_error error;
    detail::check(qcd_read_source_for(&p, source.c_str(), b.data(), &error), error);
    return b;
}

} // namespace api
} // namespace qcd
