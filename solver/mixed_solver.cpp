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

int MixedSolver::most_before_update(const SolveControl& control, int done) const
{
    return is_fixed_point(r_.precision())
               ? std::min(control.max_iterations, done + most_without_update)
               : control.max_iterations;
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
    part.max_iterations = most_before_update(control, 0);
    SolveReport report = solver_->correct(r_, correction_, part, rr_, bb_, drop_);
    std::vector<ReliableUpdate> updates;
    const long at_start = guess == Guess::x;
    double before = report.history.front();
    for (int useless = 0;;) {
        const bool broke_down = report.breakdown;
        if (report.converged && updates.empty() && report.iterations == 0) break; // at once
        compute_rest(b, x);
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
        part.max_iterations = most_before_update(control, report.iterations);
        report = solver_->correct_further(part, rr_, forgets);
    }
    report.operator_applications += at_start + long(updates.size());
    report.updates = std::move(updates);
    return report;
}

/// After an update of one of several: does it go on?
bool MixedSolver::update(SolveReport& report, double& before, const SolveControl& control,
                         double residual) const
{
    const bool was_due = report.update_is_due;
    report.updates.push_back({report.iterations, residual});
    report.residual = residual;
    report.converged = residual <= control.tol;
    report.update_is_due = false;
    if (report.converged || report.interrupted || report.iterations >= control.max_iterations) {
        report.breakdown = false;
        return false;
    }
    const bool is_useful = residual <= before / 2;
    before = residual;
    if (was_due && is_useful) return true;
    report.is_unfinished = true;
    return false;
}

std::vector<SolveReport> MixedSolver::solve_all(const SpinorField& b, SpinorField& x,
                                                const SolveControl& control)
{
    const std::size_t rhs = std::size_t(A_.graph().rhs());
    dot(b, nullptr, bb_);
    x.clear();
    take(b);
    SolveControl part = control; // up to the next update
    part.max_iterations = most_before_update(control, 0);
    solver_->correct(r_, correction_, part, rr_, bb_, drop_);
    std::vector<SolveReport> reports = solver_->reports();
    std::vector<double> before;
    std::vector<bool> go_on;
    for (const SolveReport& r : reports) {
        before.push_back(r.history.front());
        go_on.push_back(!r.converged); // else at once
    }
    while (std::count(go_on.begin(), go_on.end(), true) > 0) {
        compute_rest(b, x);
        int done = control.max_iterations;
        for (std::size_t i = 0; i < rhs; ++i) {
            if (!go_on[i]) continue;
            std::vector<ReliableUpdate> updates = std::move(reports[i].updates);
            reports[i] = solver_->reports()[i];
            reports[i].updates = std::move(updates);
            go_on[i] = update(reports[i], before[i], control, norm_of_rest(int(i)));
            if (go_on[i]) done = std::min(done, reports[i].iterations);
        }
        part.max_iterations = most_before_update(control, done);
        if (std::count(go_on.begin(), go_on.end(), true) > 0)
            solver_->correct_those(part, rr_, go_on);
    }
    for (SolveReport& r : reports) {
        const int updates = int(r.updates.size());
        r.operator_applications =
            solver_->applications_of(r.iterations, part.max_iterations, std::max(0, updates - 1)) +
            updates;
    }
    return reports;
}

std::size_t MixedSolver::bytes(const Tiling& tiling, Precision lower, Sites sites, Method method,
                               int restart)
{
    return SpinorField::bytes(tiling, Precision::f64, sites) +
           SpinorField::bytes(tiling, plain_precision(lower), sites) +
           (1 + work_vectors(method, restart)) * SpinorField::bytes(tiling, lower, sites);
}

} // namespace qcd
