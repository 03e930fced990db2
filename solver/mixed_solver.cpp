#include "solver/mixed_solver.hpp"

#include <algorithm>
#include <cmath>

namespace qcd
{

namespace
{

/// Iterations in 16 bits in which |r| has not fallen by the factor: as many as a hard problem takes
/// for it. Rounding may keep r where it is, and then nothing would ever end it.
constexpr int most_without_update = 2000;

/// What dot(x) makes of |x|^2.
double norm2(const LatticeSums& of_dot) { return of_dot.wait()[3]; }

} // namespace

MixedSolver::MixedSolver(const Operator& A, const Operator& lower, Method method, int restart,
                         double drop)
    : A_(A), drop_(drop), solver_(make_solver(method, lower, restart)), rest_(A.vector()),
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
    SolveControl part = control; // up to the next update
    const auto limit = [&](int done) {
        if (is_fixed_point(r_.precision()))
            part.max_iterations = std::min(control.max_iterations, done + most_without_update);
    };
    limit(0);
    SolveReport report = solver_->correct(r_, correction_, part, rr_, bb_, drop_);
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
        const bool forgets = broke_down || useless > 0 || report.iterations >= part.max_iterations;
        limit(report.iterations);
        report = solver_->correct_further(part, rr_, forgets);
    }
    report.operator_applications += at_start + long(updates.size());
    report.updates = std::move(updates);
    return report;
}

std::size_t MixedSolver::bytes(const Tiling& tiling, Precision lower, Sites sites, Method method,
                               int restart)
{
    return SpinorField::bytes(tiling, Precision::f64, sites) +
           SpinorField::bytes(tiling, plain_precision(lower), sites) +
           (1 + work_vectors(method, restart)) * SpinorField::bytes(tiling, lower, sites);
}

} // namespace qcd
