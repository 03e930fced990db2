#include "solver/solver.hpp"

#include "base/error.hpp"
#include "solver/checkpoints.hpp"
#include "tasks/updates.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace qcd
{

Solver::Solver(const Operator& A, Method method)
    : A(A), rr(A.sums()), monitor(A.graph()), method_(method), bb_(A.sums())
{
}

/// For measurements exactly so many iterations are asked for, of this method: then nothing but a
/// breakdown ends it.
void Solver::begin(SpinorField& r, SpinorField& x, double tol, Guess guess)
{
    r_ = &r;
    x_ = &x;
    k = 0;
    forget_reports();
    applications_at_start_ = applications_of_start();
    Start s{.r = rr, .tol = tol, .rounding = tol > 0 ? rounding_unit(A.precision()) : 0};
    if (guess == Guess::x) {
        dot(r, nullptr, bb_);
        A.residual(x, r, idle());
        scale(spin::real(1), idle(), r); // r = b - A x
        s.b = &bb_;
        ++applications_at_start_;
    } else {
        x.clear();
    }
    dot(r, nullptr, rr);
    start(r, s);
}

SolveReport Solver::iterations(int most)
{
    iterate(*r_, *x_);
    reports_ = monitor.reports();
    for (SolveReport& r : reports_) {
        r.preconditioner_applications = applications_of_preconditioner(r.iterations);
        r.operator_applications = applications_at_start_ + applications(r.iterations, most) +
                                  r.preconditioner_applications;
    }
    return first();
}

SolveReport Solver::run(SpinorField& r, SpinorField& x, const SolveControl& control, Guess guess)
{
    Graph::Batch batch(A.graph());
    forget_reports();
    monitor.watch(control, batch, reports_);
    begin(r, x, control.tol, guess);
    return iterations(control.max_iterations);
}

SolveReport Solver::correct(SpinorField& r, SpinorField& x, const SolveControl& control,
                            const LatticeSums& of_r, const LatticeSums& of_b, double drop)
{
    Graph::Batch batch(A.graph());
    forget_reports();
    monitor.watch(control, batch, reports_);
    r_ = &r;
    x_ = &x;
    k = 0;
    drop_ = drop;
    forget_reports();
    applications_at_start_ = applications_of_start();
    x.clear();
    start(r, {.r = of_r,
              .b = &of_b,
              .tol = control.tol,
              .rounding = control.tol > 0 ? rounding_unit(A.precision()) : 0,
              .drop = drop});
    return iterations(control.max_iterations);
}

void Solver::add_correction(const SpinorField& y)
{
    const LackingSteps lacking = lacking_steps(*r_, *x_);
    qcd::add_correction(*x_, lacking, y);
    x_->clear();
}

SolveReport Solver::correct_further(const SolveControl& control, const LatticeSums& of_r,
                                    bool forgets)
{
    Graph::Batch batch(A.graph());
    for (SolveReport& r : reports_) r.breakdown = r.update_is_due = false;
    monitor.watch(control, batch, reports_);
    k = first().iterations;
    applications_at_start_ += applications_of_update();
    go_on_from(*r_, {.r = of_r,
                     .rounding = control.tol > 0 ? rounding_unit(A.precision()) : 0,
                     .drop = drop_,
                     .forgets = forgets});
    return iterations(control.max_iterations);
}

void Solver::correct_those(const SolveControl& control, const LatticeSums& of_r,
                           const std::vector<bool>& those)
{
    int most = 0; // iterations that one of them has made
    for (std::size_t i = 0; i < those.size(); ++i)
        if (those[i]) most = std::max(most, reports_[i].iterations);
    std::vector<bool> earlier(those.size()), now(those.size());
    for (std::size_t i = 0; i < those.size(); ++i) {
        const bool as_most = (most - reports_[i].iterations) % 2 == 0;
        now[i] = those[i] && as_most;
        earlier[i] = those[i] && !as_most;
    }
    if (std::count(earlier.begin(), earlier.end(), true) > 0) {
        SolveControl one = control;
        one.max_iterations = most;
        resume_those(earlier, now, most - 1, one, of_r);
    }
    resume_those(now, earlier, most, control, of_r);
}

/// Those that wait keep their gates, which nothing goes through meanwhile.
void Solver::resume_those(const std::vector<bool>& those, const std::vector<bool>& waiting,
                          int first, const SolveControl& control, const LatticeSums& of_r)
{
    const int rhs = int(those.size());
    std::vector<double> gates(rhs);
    for (int i = 0; i < rhs; ++i) {
        gates[i] = scalar_data().gate(i);
        scalar_data().set_gate(those[i] ? 3 : waiting[i] ? 4 : 1, i);
        if (those[i] || !waiting[i]) reports_[i].update_is_due = !those[i]; // else it has ended
    }
    Graph::Batch batch(A.graph());
    monitor.watch(control, batch, reports_);
    k = first;
    go_on_from(*r_, {.r = of_r,
                     .rounding = control.tol > 0 ? rounding_unit(A.precision()) : 0,
                     .drop = drop_,
                     .forgets = false});
    for (int i = 0; i < rhs; ++i)
        if (waiting[i]) scalar_data().set_gate(gates[i], i);
    iterations(control.max_iterations);
}

SolveReport Solver::go_on(const SolveControl& control)
{
    if (has_ended()) return first();
    Graph::Batch batch(A.graph());
    monitor.watch(control, batch, reports_);
    return iterations(control.max_iterations);
}

void Solver::finish()
{
    Graph::Batch batch(A.graph());
    complete(*r_, *x_);
}

/// After run() or put().
SolveReport Solver::go_to_end(const SolveControl& control)
{
    int taken = 0;
    const auto take = [&] {
        if (has_ended() || first().iterations == taken) return;
        taken = first().iterations;
        control.checkpoints->take(taken, [&] { return state(); });
    };
    while (!has_ended() && !first().interrupted && first().iterations < control.max_iterations) {
        take();
        go_on(control);
    }
    take();
    finish();
    return first();
}

SolveReport Solver::solve(SpinorField& r, SpinorField& x, const SolveControl& control, Guess guess)
{
    if (control.checkpoints) {
        run(r, x, control, guess);
        return go_to_end(control);
    }
    Graph::Batch batch(A.graph());
    forget_reports();
    monitor.watch(control, batch, reports_);
    begin(r, x, control.tol, guess);
    const SolveReport report = iterations(control.max_iterations);
    complete(r, x);
    return report;
}

SolveReport Solver::resume(const State& s, SpinorField& r, SpinorField& x,
                           const SolveControl& control)
{
    put(s, r, x);
    go_on(control);
    if (control.checkpoints) return go_to_end(control);
    finish();
    return first();
}

void Solver::apply(SpinorField& r, SpinorField& x, int iterations, const ScalarData& outer)
{
    monitor.look_away(iterations);
    begin(r, x, 0, Guess::zero);
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

bool Solver::has_ended() const
{
    return std::all_of(reports_.begin(), reports_.end(),
                       [](const SolveReport& r) { return r.converged || r.breakdown; });
}

State Solver::state()
{
    if (A.graph().rhs() > 1) throw Error("the state of a solve: not of several right-hand sides");
    State s{method_, {}, scalars(), first(), applications_at_start_};
    for (const auto& [name, field] : all_vectors()) s.vectors.emplace_back(name, copy_of(*field));
    return s;
}

void Solver::put(const State& s, SpinorField& r, SpinorField& x)
{
    r_ = &r;
    x_ = &x;
    const Vectors all = all_vectors();
    bool fits = s.method == method_ && s.vectors.size() == all.size();
    for (std::size_t i = 0; fits && i < all.size(); ++i) fits = s.vectors[i].first == all[i].first;
    if (!fits) throw Error("the state of a solve is of another method");
    for (std::size_t i = 0; i < all.size(); ++i) qcd::put(s.vectors[i].second, *all[i].second);
    reports_.assign(1, s.report);
    applications_at_start_ = s.applications_at_start;
    k = first().iterations;
    set_scalars(s.scalars);
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
