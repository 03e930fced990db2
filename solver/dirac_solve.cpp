#include "solver/dirac_solve.hpp"

#include "tasks/updates.hpp"

#include <cmath>

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

std::unique_ptr<Solver> make_solver(Method method, const Operator& A)
{
    switch (method) {
    case Method::cr:
        return make_cr(A);
    case Method::cg:
        return make_cg(A);
    case Method::bicgstab:
        break;
    }
    return make_bicgstab(A);
}

} // namespace

DiracSolve::DiracSolve(const Tiling& tiling, const DiracProblem& p, GaugeSource& gauge)
    : problem_(p), links_(tiling, p.precision, gauge, p.antiperiodic, p.links),
      wilson_(tiling, links_, p.precision), operator_(wilson_, p.dirac, matrix_of(p)),
      solver_(make_solver(p.method, operator_)), b_(tiling, p.precision, Sites::all),
      x_(tiling, p.precision, Sites::all), r_(tiling, p.precision, operator_.sites()),
      y_(tiling, p.precision, operator_.sites())
{
    Wilson::prepare(checking(p.precision), p.links);
}

SolveReport DiracSolve::solve(const SolveControl& control)
{
    operator_.prepare(b_, r_);
    const SolveReport report = solver_->solve(r_, y_, control);
    operator_.reconstruct(y_, b_, x_);
    wait_for_all();
    return report;
}

void DiracSolve::prepare()
{
    operator_.prepare(b_, r_);
    wait_for_all();
}

SolveReport DiracSolve::iterate(const SolveControl& control)
{
    const SolveReport report = solver_->solve(r_, y_, control);
    wait_for_all();
    return report;
}

void DiracSolve::update_vectors(int times)
{
    const LatticeSums bb(b_.tiling(), Sites::all);
    const Coefficients c;
    dot(b_, nullptr, bb);
    coefficients({QCD_STAGE_START, 0, 0}, nullptr, &bb, nullptr, c);
    for (int i = 0; i < times; ++i) xpay(c, y_, r_);
    wait_for_all();
}

SolutionSums DiracSolve::verify() const
{
    const Tiling& tiling = x_.tiling();
    const Wilson in_double(tiling, links_, checking(problem_.precision));
    const LatticeSums rr(tiling, Sites::all), products(tiling, Sites::all);
    residual(in_double, problem_.dirac, x_, b_, rr);
    dot(b_, &x_, products);
    const auto p = products.wait();
    return {p[3] > 0 ? std::sqrt(rr.wait()[2] / p[3]) : 0, p[2], p[3], {p[0], p[1]}};
}

std::size_t DiracSolve::bytes(const Tiling& tiling, const DiracProblem& p)
{
    const std::size_t half = SpinorField::bytes(tiling, p.precision, Sites::even);
    const std::size_t vector = p.even_odd ? half : 2 * half;
    const std::size_t vectors =
        (2 + work_vectors(p.method)) * vector + (p.even_odd ? half : 0) /* H_oe */;
    return GaugeField::bytes(tiling, p.precision, p.links) + vectors + 4 * half /* b and x */ +
           2 * (Halo::bytes(tiling, p.precision) + Halo::bytes(tiling, checking(p.precision)));
}

} // namespace qcd
