#include "solver/solver.hpp"

#include "base/error.hpp"
#include "codelets/device/solve_scalars.h"
#include "solver/checkpoints.hpp"
#include "tasks/updates.hpp"

#include <algorithm>
#include <array>

namespace qcd
{

Solver::Solver(const Operator& A, Method method)
    : A(A), rr(A.sums()), monitor(A.graph()), method_(method), bb_(A.sums())
{
}

void Solver::take(SpinorField& r, SpinorField& x, const std::vector<Share>& shares)
{
    r_ = &r;
    x_ = &x;
    k = 0;
    shares_ = shares;
    reports_.assign(shares.size(), {});
    applications_at_start_.assign(shares.size(), applications_of_start());
    for (std::size_t i = 0; i < shares.size(); ++i) {
        reports_[i].pauses = !shares[i].takes_part;
        if (shares[i].guess == Guess::x) ++applications_at_start_[i];
    }
}

/// Measurements ask for an exact number of iterations of this method with a tolerance of 0: then
/// nothing but a breakdown ends it.
double Solver::rounding() const
{
    const bool measures = std::all_of(shares_.begin(), shares_.end(), [](const Share& share) {
        return !share.takes_part || share.tol == 0;
    });
    return measures ? 0 : rounding_unit(A.precision());
}

/// One tolerance for those that take part is told to the task, which then waits for nothing.
void Solver::start_with(const SpinorField& r, const LatticeSums& of_r, const LatticeSums* of_b,
                        double drop)
{
    Start s{.r = of_r, .b = of_b, .rounding = rounding(), .drop = drop};
    const auto takes_part = [](const Share& share) { return share.takes_part; };
    const auto first = std::find_if(shares_.begin(), shares_.end(), takes_part);
    const double tol = first == shares_.end() ? 0 : first->tol;
    if (std::all_of(shares_.begin(), shares_.end(),
                    [&](const Share& share) { return !share.takes_part || share.tol == tol; }))
        s.tol = tol;
    else
        for (std::size_t i = 0; i < shares_.size(); ++i)
            scalar_data().set_starting_tolerance(shares_[i].tol, int(i));
    start(r, s);
    leave_out_others();
}

void Solver::begin()
{
    const LatticeSums* of_b = nullptr;
    clear_those_from_zero(*x_, shares_);
    if (std::any_of(shares_.begin(), shares_.end(),
                    [](const Share& share) { return share.guess == Guess::x; })) {
        dot(*r_, nullptr, bb_);
        A.residual(*x_, *r_, idle());
        scale(spin::real(1), idle(), *r_); // r = b - A x
        of_b = &bb_;
    }
    dot(*r_, nullptr, rr);
    start_with(*r_, rr, of_b);
}

void Solver::leave_out_others()
{
    for (std::size_t i = 0; i < shares_.size(); ++i)
        if (!shares_[i].takes_part) scalar_data().set_gate(QCD_GATE_CONVERGED, int(i));
}

/// Iterations until the first of those that are open has made its most.
int Solver::left() const
{
    int least = INT_MAX;
    for (std::size_t i = 0; i < reports_.size(); ++i)
        if (is_open(reports_[i])) least = std::min(least, shares_[i].most - reports_[i].iterations);
    return least == INT_MAX ? 0 : std::max(least, 0);
}

bool Solver::has_open() const { return std::any_of(reports_.begin(), reports_.end(), is_open); }

void Solver::iterations(const SolveControl& control, const std::function<void()>& begin, int until)
{
    A.graph().turn_as_at_first();
    SolveControl part = control;
    int taken = 0;
    const auto take = [&] {
        if (control.checkpoints && k != taken)
            control.checkpoints->take(k, [&] { return states(); });
        taken = k;
    };
    for (bool first = true, goes_on = true; goes_on && has_open(); first = false) {
        Graph::Batch batch(A.graph());
        part.max_iterations = std::min(until, k + left());
        monitor.watch(part, batch, reports_);
        if (first && begin) begin();
        iterate(*r_, *x_);
        reports_ = monitor.reports();
        if (has_open()) take();
        goes_on = k < until && !is_interrupted(reports_);
        if (goes_on) pause_those_at_their_most();
    }
    count_applications();
}

/// What is submitted for others, now or when they are resumed, is not to change these.
void Solver::pause_those_at_their_most()
{
    std::vector<int> those;
    for (std::size_t i = 0; i < reports_.size(); ++i)
        if (is_open(reports_[i]) && reports_[i].iterations >= shares_[i].most)
            those.push_back(int(i));
    for (const int i : those) reports_[std::size_t(i)].pauses = true;
    if (reports_.size() == 1) return; // nothing is submitted for others
    for (const int i : those) scalar_data().set_gate(QCD_GATE_WAITING, i);
}

void Solver::count_applications()
{
    for (std::size_t i = 0; i < reports_.size(); ++i) {
        SolveReport& r = reports_[i];
        r.preconditioner_applications = applications_of_preconditioner(r.iterations);
        r.operator_applications = applications_at_start_[i] +
                                  applications(r.iterations, shares_[i].most) +
                                  r.preconditioner_applications;
    }
}

void Solver::finish()
{
    Graph::Batch batch(A.graph());
    complete(*r_, *x_);
}

std::vector<SolveReport> Solver::solve(SpinorField& r, SpinorField& x, const SolveControl& control,
                                       const std::vector<Share>& shares)
{
    take(r, x, shares);
    iterations(control, [&] { begin(); });
    finish();
    return reports_;
}

std::vector<SolveReport> Solver::correct(SpinorField& r, SpinorField& x,
                                         const SolveControl& control,
                                         const std::vector<Share>& shares, const LatticeSums& of_r,
                                         const LatticeSums& of_b, double drop)
{
    take(r, x, shares);
    drop_ = drop;
    iterations(control, [&] {
        x.clear();
        start_with(r, of_r, &of_b, drop);
    });
    return reports_;
}

void Solver::add_correction(const SpinorField& y)
{
    const LackingSteps lacking = prepare_correction(*r_, *x_);
    qcd::add_correction(*x_, lacking, y);
    x_->clear();
}

/// A right-hand side goes on in an iteration that is even or odd as in a solve of its own: so some
/// make one before the others do.
void Solver::correct_further(const SolveControl& control, const LatticeSums& of_r,
                             const std::vector<Further>& further)
{
    int newest = 0;
    for (std::size_t i = 0; i < further.size(); ++i) {
        if (further[i].goes_on) newest = std::max(newest, reports_[i].iterations);
        shares_[i].takes_part = further[i].goes_on;
        if (!further[i].goes_on) reports_[i].pauses = true;
    }
    leave_out_others();
    std::vector<bool> is_early(further.size());
    for (std::size_t i = 0; i < further.size(); ++i)
        is_early[i] = alternates() && (newest - reports_[i].iterations) % 2 != 0;
    for (const bool early : {true, false}) {
        std::array<std::vector<bool>, 2> those; // keep their directions; forget them
        those.fill(std::vector<bool>(further.size()));
        for (std::size_t i = 0; i < further.size(); ++i) {
            if (!further[i].goes_on || is_early[i] != early) continue;
            those[further[i].forgets][i] = true;
            shares_[i].most = further[i].most;
            reports_[i].breakdown = reports_[i].pauses = false;
            applications_at_start_[i] += applications_of_update();
        }
        if (!any(those[0]) && !any(those[1])) continue;
        k = newest - early;
        const auto begin = [&] {
            for (const bool forgets : {false, true})
                if (any(those[forgets]))
                    resume_those(
                        those[forgets],
                        {.r = of_r, .rounding = rounding(), .drop = drop_, .forgets = forgets});
        };
        iterations(control, begin, early ? newest : INT_MAX);
        if (is_interrupted(reports_)) break;
    }
}

/// Meanwhile nothing goes through the gates of the others.
void Solver::resume_those(const std::vector<bool>& those, const Resume& resume)
{
    std::vector<double> gates(those.size());
    const bool alone = those.size() == 1;
    for (std::size_t i = 0; !alone && i < those.size(); ++i) {
        if (!shares_[i].takes_part) continue;
        gates[i] = scalar_data().gate(int(i));
        scalar_data().set_gate(those[i] ? QCD_GATE_UPDATE_DUE : QCD_GATE_WAITING, int(i));
    }
    go_on_from(*r_, resume);
    for (std::size_t i = 0; !alone && i < those.size(); ++i)
        if (shares_[i].takes_part && !those[i]) scalar_data().set_gate(gates[i], int(i));
}

std::vector<SolveReport> Solver::resume(const std::vector<State>& states, SpinorField& r,
                                        SpinorField& x, const SolveControl& control,
                                        const std::vector<Share>& shares)
{
    take(r, x, shares);
    for (const State& s : states) k = std::max(k, s.report.iterations);
    const Vectors all = all_vectors();
    for (std::size_t i = 0; i < states.size(); ++i) {
        const State& s = states[i];
        bool fits = s.method == method_ && s.vectors.size() == all.size();
        for (std::size_t v = 0; fits && v < all.size(); ++v)
            fits = s.vectors[v].first == all[v].first;
        if (!fits) throw Error("the state of a solve is of another method");
        for (std::size_t v = 0; v < all.size(); ++v)
            qcd::put(s.vectors[v].second, *all[v].second, int(i));
        set_scalars(s.scalars, int(i));
        reports_[i] = s.report;
        reports_[i].converged = s.scalars.front() == QCD_GATE_CONVERGED;
        reports_[i].breakdown = s.scalars.front() == QCD_GATE_BREAKDOWN;
        reports_[i].pauses = !shares[i].takes_part;
        applications_at_start_[i] = s.applications_at_start;
    }
    iterations(control, {});
    finish();
    return reports_;
}

void Solver::apply(SpinorField& r, SpinorField& x, int iterations, const ScalarData& outer,
                   double tol)
{
    take(r, x, std::vector<Share>(std::size_t(A.graph().rhs()), {.tol = tol}));
    monitor.look_away(iterations);
    begin();
    follow_gate(scalar_data(), outer);
    iterate(r, x);
    complete(r, x);
}

Solver::Vectors Solver::all_vectors()
{
    Vectors all{{"x", x_}, {"r", r_}};
    for (const auto& v : vectors()) all.push_back(v);
    return all;
}

std::vector<State> Solver::states()
{
    std::vector<State> all;
    for (int i = 0; i < A.graph().rhs(); ++i) {
        all.push_back({method_,
                       {},
                       scalars(i),
                       reports_[std::size_t(i)],
                       applications_at_start_[std::size_t(i)]});
        for (const auto& [name, field] : all_vectors())
            all.back().vectors.emplace_back(name, copy_of(*field, i));
    }
    return all;
}

MethodNeeds needs_of(Method method, int restart)
{
    switch (method) {
    case Method::cr:
        return cr_needs();
    case Method::cg:
        return cg_needs();
    case Method::bicgstab:
        return bicgstab_needs();
    case Method::gcr:
        break;
    }
    return gcr_needs(restart);
}

std::unique_ptr<Solver> make_solver(Method method, const Operator& A, int restart)
{
    switch (method) {
    case Method::cr:
        return make_cr(A);
    case Method::cg:
        return make_cg(A);
    case Method::bicgstab:
        return make_bicgstab(A);
    case Method::gcr:
        break;
    }
    return make_gcr(A, restart);
}

} // namespace qcd
