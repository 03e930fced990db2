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
double norm2(const LatticeSums& of_dot, int rhs) { return of_dot.wait(rhs)[3]; }

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

double MixedSolver::norm_of_rest(int rhs) const
{
    const double rr = norm2(rr_, rhs);
    return rr == 0 ? 0 : std::sqrt(rr / norm2(bb_, rhs));
}

/// b - A x in double, where x gets the correction.
void MixedSolver::compute_rest(const SpinorField& b, SpinorField& x)
{
    solver_->add_correction(x);
    A_.residual(x, b, rest_);
    take(rest_);
}

int MixedSolver::limit_after(int iterations, const Share& share) const
{
    return is_fixed_point(r_.precision()) ? std::min(share.most, iterations + most_without_update)
                                          : share.most;
}

void MixedSolver::begin(const SpinorField& b, SpinorField& x, const std::vector<Share>& shares)
{
    dot(b, nullptr, bb_);
    clear_those_from_zero(x, shares);
    if (std::any_of(shares.begin(), shares.end(),
                    [](const Share& s) { return s.guess == Guess::x; })) {
        A_.residual(x, b, rest_);
        take(rest_);
    } else {
        take(b);
    }
}

/// Does it go on after an update, and how?
void MixedSolver::update(Side& side, SolveReport& report, const Share& share, double residual) const
{
    const bool broke_down = report.breakdown;
    side.updates.push_back({report.iterations, residual});
    report.residual = residual;
    report.converged = residual <= share.tol;
    report.breakdown = false;
    report.interrupted = report.interrupted && !report.converged;
    side.goes_on = !report.converged && !report.interrupted && report.iterations < share.most;
    if (!side.goes_on) return;
    side.useless = residual <= side.before / 2 ? 0 : side.useless + 1;
    const bool to_the_end = share.tol == 0 && !broke_down; // as Solver::solve()
    if ((side.useless >= 2 && !to_the_end) || !std::isfinite(residual)) {
        report.breakdown = broke_down;
        side.goes_on = false;
        return;
    }
    side.before = residual;
    side.forgets = broke_down || side.useless > 0 || report.iterations >= side.limit;
    side.limit = limit_after(report.iterations, share);
}

std::vector<SolveReport> MixedSolver::solve(SpinorField& b, SpinorField& x,
                                            const SolveControl& control,
                                            const std::vector<Share>& shares)
{
    begin(b, x, shares);
    std::vector<Share> parts = shares; // of the correction, up to the next update
    for (Share& part : parts) {
        part.guess = Guess::zero;
        part.most = limit_after(0, part);
    }
    std::vector<SolveReport> reports =
        solver_->correct(r_, correction_, control, parts, rr_, bb_, drop_);
    std::vector<Side> sides(shares.size());
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const bool at_once = reports[i].converged && reports[i].iterations == 0;
        sides[i].goes_on = shares[i].takes_part && !at_once;
        sides[i].limit = parts[i].most;
        if (shares[i].takes_part) sides[i].before = reports[i].history.front();
    }
    const auto goes_on = [](const Side& side) { return side.goes_on; };
    while (std::any_of(sides.begin(), sides.end(), goes_on)) {
        compute_rest(b, x);
        const bool interrupted = is_interrupted(solver_->reports());
        std::vector<Solver::Further> further(shares.size());
        for (std::size_t i = 0; i < shares.size(); ++i) {
            Side& side = sides[i];
            if (!side.goes_on) continue;
            reports[i] = solver_->reports()[i];
            reports[i].interrupted = interrupted;
            update(side, reports[i], shares[i], norm_of_rest(int(i)));
            if (side.goes_on) further[i] = {true, side.forgets, side.limit};
        }
        if (std::any_of(sides.begin(), sides.end(), goes_on))
            solver_->correct_further(control, rr_, further);
    }
    for (std::size_t i = 0; i < shares.size(); ++i) {
        if (!shares[i].takes_part) continue;
        reports[i].operator_applications +=
            (shares[i].guess == Guess::x) + long(sides[i].updates.size());
        reports[i].updates = std::move(sides[i].updates);
    }
    return reports;
}

std::size_t MixedSolver::bytes(const Tiling& tiling, Precision lower, Sites sites, Method method,
                               int restart)
{
    return SpinorField::bytes(tiling, Precision::f64, sites) +
           SpinorField::bytes(tiling, plain_precision(lower), sites) +
           (1 + needs_of(method, restart).vectors) * SpinorField::bytes(tiling, lower, sites);
}

} // namespace qcd
