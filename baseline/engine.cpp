#include "baseline/baseline.hpp"

#include "base/error.hpp"
#include "baseline/dirac.hpp"
#include "baseline/solvers.hpp"
#include "lattice/gauge_source.hpp"
#include "lattice/heavy_quark_residual.hpp"
#include "lattice/source_scale.hpp"
#include "lattice/spinor_source.hpp"
#include "lattice/true_residual.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace qcd::baseline
{

namespace
{

double seconds_now()
{
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

const Problem& checked(const Problem& p)
{
    if (p.solver != "cr" && p.solver != "cg" && p.solver != "bicgstab")
        throw Error("baseline engine: solver '" + p.solver + "' is none of cr, cg, bicgstab");
    if (p.threads < 1) throw Error("baseline engine: needs at least one thread");
    if (p.max_iterations < 0) throw Error("baseline engine: negative number of iterations");
    if (!std::isfinite(p.kappa) || !std::isfinite(p.mubar) || !(p.tol >= 0))
        throw Error("baseline engine: kappa and mubar must be finite, tol not negative");
    if (p.solver == "cr" && p.even_odd && p.mubar != 0)
        throw Error(
            "cr with even-odd needs mubar = 0: A = gamma5 Dhat has A - A^dagger not diagonal "
            "at mubar != 0 (T_oo^-1 sits between two hoppings); use --even-odd off or another "
            "solver");
    return p;
}

double norm2_of(const Spinor<double>& s)
{
    double sum = 0;
    for (int k = 0; k < 12; ++k) {
        const Complex<double> z = s.c[k / 4][k % 4];
        sum += z.re * z.re + z.im * z.im;
    }
    return sum;
}

template <class Real>
Field<Real> load(const Grid& grid, const SpinorSource& b)
{
    Field<Real> field(grid, grid.all());
    for (long site = 0; site < grid.all().count; ++site) {
        double values[24];
        b.site(grid.coord(site), values);
        for (int spin = 0; spin < 4; ++spin)
            for (int colour = 0; colour < 3; ++colour) {
                const double* z = &values[2 * (3 * spin + colour)];
                field[site].c[colour][spin] = {Real(z[0]), Real(z[1])};
            }
    }
    return field;
}

/// Whatever the precision of x.
template <class Real>
typename Engine<Real>::Residual residual_in_double(const Hopping<double>& hopping, const Problem& p,
                                                   const SpinorSource& source, const Field<Real>& x)
{
    const Grid& grid = hopping.grid();
    Field<double> wide(grid, grid.all()), Dx(grid, grid.all());
    for_sites(grid, grid.all(), [&](long site) {
        for (int k = 0; k < 12; ++k) {
            const Complex<Real> z = x[site].c[k / 4][k % 4];
            wide[site].c[k / 4][k % 4] = {double(z.re), double(z.im)};
        }
    });
    FullDirac<double>(hopping, p.kappa, p.mubar).apply(wide, Dx);
    const Field<double> b = load<double>(grid, source);
    xaxpy(-1, b, Dx);
    const double b2 = norm2(b);
    HeavyQuarkResidual heavy_quark;
    for (long site = 0; site < grid.all().count; ++site)
        heavy_quark.add(norm2_of(Dx[site]), norm2_of(wide[site]));
    const auto over_b = [&](double square) { return b2 > 0 ? std::sqrt(square / b2) : 0.0; };
    return {over_b(norm2(Dx)), heavy_quark.value(), over_b(norm2(wide))};
}

/// Solves A x = b; cr multiplies both sides by gamma5, also in the caller's b. norm2_of_b is 0, or
/// |.|^2 of what residuals are relative to; out: that.
template <class Real>
Report iterate(const Problem& p, DiracOperator<Real>& A, Field<Real>& b, Field<Real>& x,
               double& norm2_of_b)
{
    if (norm2_of_b == 0) norm2_of_b = norm2(b);
    const Stop stop{p.tol,       p.max_iterations, p.exact_iterations,
                    p.interrupt, p.progress,       norm2_of_b};
    using In = const Field<Real>&;
    using Out = Field<Real>&;
    const Operator<Real> plain = [&](In in, Out out) { A.apply(in, out); };
    const Operator<Real> adjoint = [&](In in, Out out) { A.apply_adjoint(in, out); };
    const Operator<Real> hermitian = [&](In in, Out out) { A.apply_gamma5(in, out); };
    if (p.solver == "cg") return conjugate_gradient(plain, adjoint, b, x, stop);
    if (p.solver == "bicgstab") return bicgstab(plain, b, x, stop);
    xgamma5(b);
    return conjugate_residual(hermitian, b, x, stop);
}

/// D x = b by the system that p says; b is of no use afterwards.
template <class Real>
class System
{
public:
    System(const Hopping<Real>& hopping, const Problem& p)
        : full_(hopping, p.kappa, p.mubar), even_(hopping, p.kappa, p.mubar)
    {
    }
    Report solve(const Problem& p, Field<Real>& b, Field<Real>& x)
    {
        if (!p.even_odd) return iterate(p, full_, b, x, norm2_of_b_);
        Field<Real> b_even(b.grid(), b.grid().even()), x_even(b.grid(), b.grid().even());
        even_.even_source(b, b_even);
        Report report = iterate(p, even_, b_even, x_even, norm2_of_b_);
        even_.complete(x_even, b, x);
        return report;
    }
    /// b <- b - D x
    void take_off(const Field<Real>& x, Field<Real>& b)
    {
        Field<Real> Dx(b.grid(), b.grid().all());
        full_.apply(x, Dx);
        xaxpy(-1, Dx, b);
    }
    long applications() const { return full_.applications() + even_.applications(); }

private:
    FullDirac<Real> full_;
    EvenDirac<Real> even_;
    double norm2_of_b_ = 0; // of the first solve: all residuals are relative to that
};

/// What goes on after others.
Problem rest_of(const Problem& p, double tol, int done)
{
    Problem rest = p;
    rest.tol = tol;
    rest.max_iterations = p.max_iterations - done;
    if (p.progress)
        rest.progress = [&p, done](int k, double residual) { p.progress(done + k, residual); };
    return rest;
}

Report joined(Report first, const Report& more)
{
    first.iterations += more.iterations;
    first.converged = more.converged;
    first.interrupted = more.interrupted;
    first.breakdown = more.breakdown;
    first.residual_history.insert(first.residual_history.end(), more.residual_history.begin() + 1,
                                  more.residual_history.end());
    return first;
}

} // namespace

template <class Real>
struct Engine<Real>::Parts {
    Problem problem;
    Grid grid;
    Hopping<Real> hopping;
    std::optional<Hopping<double>>
        exact; ///< the links not rounded, when hopping has them in single
    std::optional<Field<Real>> x;
    const SpinorSource* source = nullptr;

    Parts(const Problem& p, GaugeSource& gauge)
        : problem(checked(p)), grid(p.lattice, p.threads), hopping(grid, p.antiperiodic)
    {
        if (gauge.extents() != p.lattice)
            throw Error("baseline engine: gauge field is " + to_string(gauge.extents()) +
                        ", lattice is " + to_string(p.lattice));
        if (!std::is_same_v<Real, double>) exact.emplace(grid, p.antiperiodic);
        std::vector<double> slice(gauge.slice_reals());
        for (int t = 0; t < p.lattice[3]; ++t) {
            gauge.read_slice(t, slice);
            hopping.set_slice(t, slice);
            if (exact) exact->set_slice(t, slice);
        }
        x.emplace(grid, grid.all()); // not before the links are seen to be good
    }
};

template <class Real>
Engine<Real>::Engine(const Problem& problem, GaugeSource& gauge)
    : parts_(std::make_unique<Parts>(problem, gauge))
{
}

template <class Real>
Engine<Real>::~Engine() = default;

template <class Real>
std::size_t Engine<Real>::bytes(const Problem& p)
{
    const std::size_t sites = volume(p.lattice);
    constexpr std::size_t spinor = sizeof(Spinor<Real>), exact = sizeof(Spinor<double>);
    constexpr bool single = !std::is_same_v<Real, double>;
    const std::size_t tables = 8 * sizeof(int) * sites;
    const std::size_t links =
        4 * sites * (sizeof(Link<Real>) + (single ? sizeof(Link<double>) : 0));
    const std::size_t vectors = 5 * spinor; // of a method and of gamma5 D
    const std::size_t solve = spinor + (p.even_odd ? vectors / 2 + 3 * spinor / 2 : vectors);
    const std::size_t further = spinor; // more, where x is not near enough yet
    return tables + links + sites * (spinor /* x */ + std::max(solve + further, 3 * exact));
}

template <class Real>
Result Engine<Real>::solve(const SpinorSource& source)
{
    const Problem& p = parts_->problem;
    const Precision precision = sizeof(Real) == 8 ? Precision::f64 : Precision::f32;
    require_usual_range(largest_real(source, {{}, p.lattice}), precision, "plain loops");
    Field<Real> b = load<Real>(parts_->grid, source);
    parts_->source = &source;
    Field<Real>& x = *parts_->x;
    System<Real> system(parts_->hopping, p);
    double begin = seconds_now();
    Report report = system.solve(p, b, x);
    double seconds = seconds_now() - begin;
    TrueResidualGoal goal(p.tol);
    while (p.exact_iterations < 0 && report.converged && report.iterations < p.max_iterations) {
        const Residual now = true_residual();
        const std::optional<double> tol = goal.next(
            report.residual_history.back(), now.relative,
            {p.kappa, p.mubar, 0, rounding_unit(precision), report.iterations, now.x_over_b});
        if (!tol) break;
        b = load<Real>(parts_->grid, source);
        begin = seconds_now();
        system.take_off(x, b);
        Field<Real> more(parts_->grid, parts_->grid.all()); // of x
        report = joined(report, system.solve(rest_of(p, *tol, report.iterations), b, more));
        xaxpy(1, more, x);
        seconds += seconds_now() - begin;
    }
    const double residual = report.residual_history.back();
    return {.iterations = report.iterations,
            .operator_applications = system.applications(),
            .iterated_residual = residual,
            .converged = report.converged,
            .interrupted = report.interrupted,
            .breakdown = report.breakdown,
            .residual_history = std::move(report.residual_history),
            .seconds_solve = seconds};
}

template <class Real>
void Engine<Real>::solution_site(const Coord& site, double out[24]) const
{
    const Spinor<Real>& x = (*parts_->x)[parts_->grid.number(site)];
    for (int spin = 0; spin < 4; ++spin)
        for (int colour = 0; colour < 3; ++colour) {
            out[2 * (3 * spin + colour)] = x.c[colour][spin].re;
            out[2 * (3 * spin + colour) + 1] = x.c[colour][spin].im;
        }
}

template <class Real>
typename Engine<Real>::Residual Engine<Real>::true_residual() const
{
    if (!parts_->source) throw Error("baseline engine: no residual before a solve");
    if constexpr (std::is_same_v<Real, double>)
        return residual_in_double(parts_->hopping, parts_->problem, *parts_->source, *parts_->x);
    else
        return residual_in_double(*parts_->exact, parts_->problem, *parts_->source, *parts_->x);
}

template class Engine<float>;
template class Engine<double>;

} // namespace qcd::baseline
