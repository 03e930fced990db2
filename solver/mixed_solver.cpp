#include "solver/mixed_solver.hpp"

#include <cmath>

namespace qcd
{

namespace
{

/// What dot(x) makes of |x|^2.
double norm2(const LatticeSums& of_dot) { return of_dot.wait()[3]; }

} // namespace

MixedSolver::MixedSolver(const Operator& A, const Operator& lower, Method method, double drop)
    : A_(A), drop_(drop), solver_(make_solver(method, lower)), rest_(A.vector()),
      r_(lower.vector()),
      correction_(lower.graph(), plain_precision(lower.precision()), lower.sites()), bb_(A.sums()),
      rr_(A.sums())
{
}

void MixedSolver::take(const SpinorField& residual)
{
    dot(residual, nullptr, rr_);
    narrow(residual, r_);
}

double MixedSolver::norm_of_rest() const
{
    const double rr = norm2(rr_);
    return rr == 0 ? 0 : std::sqrt(rr / norm2(bb_));
}

SolveReport MixedSolver::solve(const SpinorField& b, SpinorField& x, const SolveControl& control,
                               Guess guess)
{
    dot(b, nullptr, bb_);
    if (guess == Guess::x) {
        A_.residual(x, b, rest_);
        take(rest_);
    } else {
        x.clear();
        take(b);
    }
    SolveReport report = solver_->correct(r_, correction_, control, rr_, bb_, drop_);
    std::vector<ReliableUpdate> updates;
    const long at_start = guess == Guess::x;
    double before = report.history.front();
    for (int useless = 0;;) {
        const bool broke_down = report.breakdown;
        if (report.converged && updates.empty() && report.iterations == 0) break; // at once
        solver_->add_correction(x);
        A_.residual(x, b, rest_);
        take(rest_);
        const double residual = norm_of_rest();
        updates.push_back({report.iterations, residual});
        report.residual = residual;
        report.converged = residual <= control.tol;
        report.breakdown = false;
        if (report.converged || report.interrupted || report.iterations >= control.max_iterations)
            break;
        useless = residual <= before / 2 ? 0 : useless + 1;
        const bool to_the_end = control.tol == 0 && !broke_down; // as Solver::solve()
        if ((useless >= 2 && !to_the_end) || !std::isfinite(residual)) {
            report.breakdown = broke_down;
            break;
        }
        before = residual;
        report = solver_->correct_further(control, rr_, broke_down || useless > 0);
    }
    report.operator_applications += at_start + long(updates.size());
    report.updates = std::move(updates);
    return report;
}

std::size_t MixedSolver::bytes(const Tiling& tiling, Precision lower, Sites sites, Method method)
{
    return SpinorField::bytes(tiling, Precision::f64, sites) +
           SpinorField::bytes(tiling, plain_precision(lower), sites) +
           (1 + work_vectors(method)) * SpinorField::bytes(tiling, lower, sites);
}

} // namespace qcd
