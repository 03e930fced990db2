#include "solver/dirac_solve.hpp"

#include "lattice/heavy_quark_residual.hpp"
#include "tasks/updates.hpp"

#include <cmath>
#include <vector>

namespace qcd
{

namespace
{

/// Of the arithmetic that checks the solution.
Precision checking(Precision p) { return p == Precision::f32 ? Precision::f32_in_f64 : p; }

Matrix matrix_of(const DiracProblem& p)
{
    if (uses_gamma5(p.method)) return p.even_odd ? Matrix::gamma5_Dhat : Matrix::gamma5_D;
    return p.even_odd ? Matrix::Dhat : Matrix::D;
}

} // namespace

DiracSolve::DiracSolve(LatticeGraph& graph, const DiracProblem& p, GaugeSource& gauge)
    : graph_(graph), problem_(p), links_(graph, p.precision, gauge, p.antiperiodic, p.links),
      wilson_(graph, links_, p.precision), operator_(wilson_, p.dirac, matrix_of(p)),
      solver_(make_solver(p.method, operator_)), b_(graph, p.precision, Sites::all),
      x_(graph, p.precision, Sites::all), r_(graph, p.precision, operator_.sites()),
      y_(graph, p.precision, operator_.sites())
{
    Wilson::prepare(graph, checking(p.precision), p.links);
}

void DiracSolve::prepare(Guess guess)
{
    operator_.prepare(b_, r_);
    if (guess == Guess::x) scale(spin::real(1), x_, y_);
}

SolveReport DiracSolve::solve(const SolveControl& control, Guess guess)
{
    prepare(guess);
    SolveReport report = solver_->solve(r_, y_, control, guess);
    if (problem_.method == Method::cr && report.breakdown && control.tol > 0)
        go_on_with_cg(report, control);
    operator_.reconstruct(y_, b_, x_);
    graph_.wait();
    return report;
}

/// CG on the normal equations has no breakdown: its divisors are squares of vectors that vanish
/// with the residual alone, which falls in each step.
void DiracSolve::go_on_with_cg(SolveReport& cr, const SolveControl& control)
{
    solver_.reset(); // its memory
    SolveControl rest = control;
    rest.max_iterations = control.max_iterations - cr.iterations;
    rest.progress = [&](int iteration, double residual) {
        if (iteration > 0 && control.progress)
            control.progress(cr.iterations + iteration, residual);
    };
    operator_.prepare(b_, r_);
    const Guess guess = cr.residual < 1 ? Guess::x : Guess::zero; // else CR has not come far
    const SolveReport cg = make_cg(operator_)->solve(r_, y_, rest, guess);
    solver_ = make_solver(problem_.method, operator_);
    for (int i = 1; i <= cg.iterations; ++i) cr.history.push_back(cg.history[i]);
    cr.residual = cg.residual;
    cr.iterations += cg.iterations;
    cr.cg_iterations = cg.iterations;
    cr.operator_applications += cg.operator_applications;
    cr.converged = cg.converged;
    cr.interrupted = cg.interrupted;
    cr.breakdown = cg.breakdown;
}

SolveReport DiracSolve::run(const SolveControl& control, Guess guess)
{
    prepare(guess);
    return solver_->run(r_, y_, control, guess);
}

void DiracSolve::finish()
{
    solver_->finish();
    operator_.reconstruct(y_, b_, x_);
    graph_.wait();
}

void DiracSolve::prepare()
{
    prepare(Guess::zero);
    graph_.wait();
}

SolveReport DiracSolve::iterate(const SolveControl& control)
{
    const SolveReport report = solver_->solve(r_, y_, control);
    graph_.wait();
    return report;
}

void DiracSolve::update_vectors(int times)
{
    for (int i = 0; i < times; ++i) xpay(0, y_, r_);
    graph_.wait();
}

SolutionSums DiracSolve::verify()
{
    const Wilson in_double(graph_, links_, checking(problem_.precision));
    const LatticeSums rr(graph_, Sites::all), products(graph_, Sites::all);
    const SpinorField* odd = operator_.odd_sites();
    const std::array<const SpinorField*, 2> r{&r_, odd ? odd : &r_};
    residual(in_double, problem_.dirac, x_, b_, r, rr);
    dot(b_, &x_, products);
    const auto p = products.wait(); // (b|x), |x|^2, |b|^2
    return {p[3] > 0 ? std::sqrt(rr.wait()[2] / p[3]) : 0,
            heavy_quark_residual(r),
            p[2],
            p[3],
            {p[0], p[1]}};
}

/// On the host, in the order of sites: as everywhere, whatever the tiles. r: on even and odd sites.
double DiracSolve::heavy_quark_residual(const std::array<const SpinorField*, 2>& r) const
{
    const Box& box = graph_.owned_box();
    const auto norm2 = [](const double* spinor) {
        double sum = 0;
        for (int i = 0; i < 24; ++i) sum += spinor[i] * spinor[i];
        return sum;
    };
    std::vector<double> norm2_x;
    norm2_x.reserve(volume(box));
    x_.visit([&](const Coord&, const double* x) { norm2_x.push_back(norm2(x)); });
    HeavyQuarkResidual result;
    const auto add = [&](const Coord& c, const double* rest) {
        std::size_t site = 0; // of the box
        for (int mu = 3; mu >= 0; --mu) site = site * box.extents[mu] + (c[mu] - box.lower[mu]);
        result.add(norm2(rest), norm2_x[site]);
    };
    const std::span<std::byte> state = std::as_writable_bytes(std::span(&result, 1));
    r[0]->visit_in_turn(state, add);
    if (r[1] != r[0]) r[1]->visit_in_turn(state, add);
    return result.value();
}

long DiracSolve::tasks_an_iteration(const Tiling& tiling, const DiracProblem& p)
{
    struct Counts {
        int applications, updates, scalars, sums;
    };
    const Counts n = p.method == Method::cr   ? Counts{1, 1, 1, 2}
                     : p.method == Method::cg ? Counts{2, 2, 2, 3}
                                              : Counts{2, 2, 2, 4};
    const int tiles = tiling.tile_count(), parts = p.even_odd ? tiles : 2 * tiles;
    constexpr int hops = 2; // of an application: to the other parity and back, or to each
    return long(n.applications) * hops * tiles * (tiling.any_cut() ? 2 : 1) + n.updates * parts +
           n.scalars + n.sums * LatticeSums::merges(parts);
}

std::size_t DiracSolve::bytes(const Tiling& tiling, const DiracProblem& p, bool to_tolerance)
{
    const std::size_t half = SpinorField::bytes(tiling, p.precision, Sites::even);
    const std::size_t vector = p.even_odd ? half : 2 * half;
    const bool may_be_cg = p.method == Method::cr && to_tolerance;
    const int work = work_vectors(may_be_cg ? Method::cg : p.method);
    const std::size_t vectors = (2 + work) * vector + (p.even_odd ? half : 0) /* H_oe */;
    return GaugeField::bytes(tiling, p.precision, p.links) + vectors + 4 * half /* b and x */ +
           2 * (Halo::bytes(tiling, p.precision) + Halo::bytes(tiling, checking(p.precision)));
}

} // namespace qcd
