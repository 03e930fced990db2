#include "solver/dirac_solve.hpp"

#include "base/error.hpp"
#include "lattice/heavy_quark_residual.hpp"
#include "lattice/source_scale.hpp"
#include "lattice/spinor_digest.hpp"
#include "lattice/true_residual.hpp"
#include "solver/checkpoints.hpp"
#include "tasks/updates.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace qcd
{

namespace
{

/// Of the arithmetic that checks the solution.
Precision checking(Precision p) { return p == Precision::f32 ? Precision::f32_in_f64 : p; }

Matrix matrix_of(bool even_odd, bool gamma5)
{
    if (gamma5) return even_odd ? Matrix::gamma5_Dhat : Matrix::gamma5_D;
    return even_odd ? Matrix::Dhat : Matrix::D;
}
Matrix matrix_of(const DiracProblem& p) { return matrix_of(p.even_odd, uses_gamma5(p.method)); }
Matrix matrix_of(const DiracProblem& p, const Preconditioning& c)
{
    return matrix_of(p.even_odd, c.method && uses_gamma5(*c.method));
}

/// Are the iterations themselves in lower precision, rather than those of a preconditioner?
bool is_mixed(const DiracProblem& p) { return p.sloppy && !p.preconditioning; }

SolveReport joined(const SolveReport& first, const SolveReport& more)
{
    SolveReport both = first;
    for (int i = 1; i <= more.iterations; ++i) both.history.push_back(more.history[i]);
    for (const ReliableUpdate& u : more.updates)
        both.updates.push_back({first.iterations + u.iteration, u.residual});
    both.residual = more.residual;
    both.iterations += more.iterations;
    both.operator_applications += more.operator_applications;
    both.preconditioner_applications += more.preconditioner_applications;
    both.converged = more.converged;
    both.interrupted = more.interrupted;
    both.breakdown = more.breakdown;
    return both;
}

/// What goes on after others: in so many iterations less, counted after theirs. so_far lives
/// longer.
SolveControl rest_of(const SolveControl& control, const SolveReport& so_far)
{
    SolveControl rest = control;
    rest.max_iterations = control.max_iterations - so_far.iterations;
    rest.progress = [&control, &so_far](int iteration, double residual) {
        if (iteration > 0 && control.progress)
            control.progress(so_far.iterations + iteration, residual);
    };
    return rest;
}

CloverField::Inverse inverse_of(const DiracProblem& p)
{
    return p.even_odd ? CloverField::Inverse::on_odd_sites : CloverField::Inverse::none;
}

std::size_t clover_bytes(const Tiling& tiling, Precision precision, const DiracProblem& p)
{
    return p.dirac.csw == 0 ? 0 : CloverField::bytes(tiling, precision, inverse_of(p));
}

/// Of what an operator of its own in this precision has.
std::size_t operator_bytes(const Tiling& tiling, Precision precision, const DiracProblem& p,
                           int rhs = 1)
{
    return GaugeField::bytes(tiling, precision, p.links) +
           clover_bytes(tiling, plain_precision(precision), p) +
           rhs * (2 * Halo::bytes(tiling, precision) +
                  (p.even_odd ? SpinorField::bytes(tiling, precision, Sites::odd) : 0));
}

/// Of a preconditioner, at most.
std::size_t inner_bytes(const Tiling& tiling, const DiracProblem& p)
{
    const Precision precision = p.sloppy.value_or(p.precision);
    const auto& method = p.preconditioning->method;
    const int vectors = 2 + (method ? work_vectors(*method, p.preconditioning->restart) : 1);
    return vectors * SpinorField::bytes(tiling, precision, p.even_odd ? Sites::even : Sites::all) +
           operator_bytes(tiling, precision, p);
}

const DiracProblem& checked(const LatticeGraph& graph, const DiracProblem& p)
{
    if (graph.rhs() > 1 && p.method == Method::gcr)
        throw Error("several right-hand sides: not by gcr");
    return p;
}

/// Of a method that goes on for another: counted in iterations of both, states with the report of
/// the first.
class AfterFirst : public Checkpoints
{
public:
    AfterFirst(Checkpoints* whole, const SolveReport& first) : whole_(whole), first_(first) {}
    int pause_in(int begin, int end) override
    {
        const int pause = whole_->pause_in(first_.iterations + begin, first_.iterations + end);
        return pause ? pause - first_.iterations : 0;
    }
    void take(int iterations, const std::function<State()>& state) override
    {
        whole_->take(first_.iterations + iterations, [&] {
            State s = state();
            s.before = first_;
            return s;
        });
    }

private:
    Checkpoints* whole_;
    const SolveReport& first_;
};

} // namespace

DiracSolve::Links DiracSolve::links_of(LatticeGraph& graph, const DiracProblem& p,
                                       GaugeSource& gauge)
{
    Links l;
    l.clover = clover_of(graph, p.precision, p.dirac, inverse_of(p));
    l.gauge = std::make_shared<GaugeField>(graph, p.precision, gauge, p.antiperiodic, p.links,
                                           l.clover.get());
    return l;
}

DiracSolve::DiracSolve(LatticeGraph& graph, const DiracProblem& p, GaugeSource& gauge)
    : DiracSolve(graph, p, links_of(graph, p, gauge))
{
}

DiracSolve::DiracSolve(LatticeGraph& graph, const DiracProblem& p, Links links)
    : graph_(graph), problem_(checked(graph, p)), shared_(std::move(links)),
      clover_(shared_.clover.get()), links_(*shared_.gauge),
      wilson_(graph, links_, p.precision, clover_), operator_(wilson_, p.dirac, matrix_of(p)),
      inner_(p.preconditioning ? std::make_unique<Inner>(*this, *p.preconditioning) : nullptr),
      solver_(is_mixed(p) ? nullptr : make(p.method)),
      lower_(is_mixed(p) ? std::make_unique<Lower>(*this, *p.sloppy) : nullptr),
      b_(graph, p.precision, Sites::all), x_(graph, p.precision, Sites::all),
      r_(graph, p.precision, operator_.sites()), y_(graph, p.precision, operator_.sites()),
      exponents_(std::size_t(graph.rhs()))
{
    Wilson::prepare(checking(p.precision), p.links);
}

DiracSolve::Lower::Lower(const DiracSolve& s, Precision precision)
    : clover(s.clover_ ? std::make_unique<CloverField>(*s.clover_) : nullptr),
      links(s.links_, precision), wilson(s.graph_, links, precision, clover.get()),
      A(wilson, s.problem_.dirac, matrix_of(s.problem_)),
      solver(s.operator_, A, s.problem_.method, s.problem_.restart, s.problem_.sloppy_drop)
{
}

namespace
{

std::optional<GaugeField> links_of_inner(const GaugeField& links, Precision precision,
                                         const std::optional<Extents>& domain,
                                         const Extents& lattice)
{
    if (domain)
        return std::optional<GaugeField>(std::in_place, links, precision,
                                         Domains(lattice, *domain));
    if (precision != links.precision())
        return std::optional<GaugeField>(std::in_place, links, precision);
    return std::nullopt;
}

} // namespace

DiracSolve::Inner::Inner(const DiracSolve& s, const Preconditioning& c)
    : clover(s.clover_ && s.problem_.sloppy ? std::make_unique<CloverField>(*s.clover_) : nullptr),
      links(links_of_inner(s.links_, s.problem_.sloppy.value_or(s.problem_.precision), c.domain,
                           s.graph_.tiling().lattice())),
      wilson(s.graph_, links ? *links : s.links_, s.problem_.sloppy.value_or(s.problem_.precision),
             clover ? clover.get() : s.clover_),
      A(wilson, s.problem_.dirac, matrix_of(s.problem_, c)),
      M(c.method ? make_inner_method(A, *c.method, c.iterations, c.restart)
                 : make_relaxation(A, c.iterations))
{
}

std::unique_ptr<Solver> DiracSolve::make(Method method) const
{
    if (method == Method::gcr && inner_)
        return make_gcr(operator_, problem_.restart, inner_->M.get());
    return make_solver(method, operator_, problem_.restart);
}

Solver& DiracSolve::solver() const
{
    if (!solver_) throw Error("a solve in two precisions is not done in parts");
    return *solver_;
}

void DiracSolve::set_source(const SpinorSource& source, int rhs)
{
    sums_.reset();
    int& exponent = exponents_[std::size_t(rhs)];
    exponent = source_exponent(largest_real(graph_, source), problem_.precision,
                               problem_.sloppy.value_or(problem_.precision));
    b_.fill(ScaledSource(source, -exponent), rhs);
}

void DiracSolve::set_guess(const SpinorSource& guess, int rhs)
{
    sums_.reset();
    const ScaledSource scaled(guess, -exponents_[std::size_t(rhs)]);
    require_guess(largest_real(graph_, scaled), problem_.precision);
    x_.fill(scaled, rhs);
}

void DiracSolve::clear_x()
{
    sums_.reset();
    x_.clear();
}

SpinorField::Visitor DiracSolve::scaled(const SpinorField::Visitor& f, int rhs) const
{
    const int exponent = exponents_[std::size_t(rhs)];
    if (exponent == 0) return f;
    return [&f, exponent](const Coord& c, const double* x) {
        std::array<double, 24> values;
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::ldexp(x[i], exponent);
        f(c, values.data());
    };
}

std::uint64_t DiracSolve::digest_of_x(int rhs) const
{
    if (exponents_[std::size_t(rhs)] == 0) return x_.digest(rhs);
    SpinorDigest digest(int(real_bytes(problem_.precision)));
    const SpinorField::Visitor add = [&](const Coord&, const double* x) { digest.add_site(x); };
    x_.visit_in_turn(digest.state(), scaled(add, rhs), rhs);
    return digest.value();
}

void DiracSolve::prepare(Guess guess)
{
    sums_.reset();
    operator_.prepare(b_, r_);
    if (guess == Guess::x) scale(spin::real(1), x_, y_);
}

SolveReport DiracSolve::solve_system(const SolveControl& control, Guess guess)
{
    if (lower_ && graph_.rhs() > 1) return lower_->solver.solve_all(r_, y_, control).front();
    return lower_ ? lower_->solver.solve(r_, y_, control, guess)
                  : solver_->solve(r_, y_, control, guess);
}

SolveReport DiracSolve::solve(const SolveControl& control, Guess guess)
{
    prepare(guess);
    return reach_true_residual(end(solve_system(control, guess), control), control);
}

SolveReport DiracSolve::reach_true_residual(SolveReport report, SolveControl control)
{
    if (control.tol == 0) return report;
    TrueResidualGoal goal(control.tol);
    control.checkpoints = nullptr;
    while (report.converged && report.iterations < control.max_iterations) {
        const Sums& s = sums().front();
        const std::optional<double> tol =
            goal.next(report.residual, s.residual,
                      {problem_.dirac.kappa, problem_.dirac.mubar, problem_.dirac.csw,
                       rounding_unit(problem_.precision), report.iterations, s.x_over_b()});
        if (!tol) break;
        control.tol = *tol;
        const SolveReport so_far = report;
        prepare(Guess::x);
        report = end(go_on_from_x(so_far, control), control);
    }
    return report;
}

/// By the method and in the precision that the solve has come to.
SolveReport DiracSolve::go_on_from_x(const SolveReport& so_far, const SolveControl& control)
{
    if (so_far.cg_iterations) return go_on_with(Method::cg, so_far, control);
    if (so_far.double_iterations) return go_on_with(problem_.method, so_far, control);
    if (so_far.single_iterations) return go_on_in_single(so_far, control);
    return joined(so_far, solve_system(rest_of(control, so_far), Guess::x));
}

std::vector<SolveReport> DiracSolve::solve_all(const SolveControl& control, Guess guess)
{
    if (graph_.rhs() == 1) return {solve(control, guess)};
    prepare(guess);
    std::vector<SolveReport> reports;
    if (lower_ && guess == Guess::zero) {
        reports = lower_->solver.solve_all(r_, y_, control);
    } else {
        solver().solve(r_, y_, control, guess);
        reports = solver().reports();
        if (problem_.method == Method::cr && control.tol > 0) go_on_with_cg(reports, control);
    }
    operator_.reconstruct(y_, b_, x_);
    graph_.wait();
    if (control.tol > 0) finish_alone(reports, control); // else what is unfinished stays so
    return reports;
}

void DiracSolve::finish_alone(std::vector<SolveReport>& reports, const SolveControl& control)
{
    const std::vector<Sums> all = sums();
    for (std::size_t i = 0; i < reports.size(); ++i) {
        const SolveReport so_far = reports[i];
        if (so_far.is_unfinished)
            reports[i] = solve_alone(int(i), control, nullptr);
        else if (so_far.converged && all[i].residual > control.tol)
            reports[i] = solve_alone(int(i), control, &so_far);
    }
}

/// From 0, or from its x to the true residual.
SolveReport DiracSolve::solve_alone(int rhs, const SolveControl& control, const SolveReport* so_far)
{
    sums_.reset();
    LatticeGraph graph(graph_.tiling(), graph_.plan());
    DiracSolve alone(graph, problem_, shared_);
    SolveControl quietly = control;
    quietly.progress = nullptr;
    qcd::put(copy_of(b_, rhs), alone.b_);
    if (so_far) qcd::put(copy_of(x_, rhs), alone.x_);
    const SolveReport report =
        so_far ? alone.reach_true_residual(*so_far, quietly) : alone.solve(quietly);
    qcd::put(copy_of(alone.x_), x_, rhs);
    return report;
}

/// Solves all, for simplicity, from their x, and gives those back theirs that had not broken down:
/// they are near their solution, and it is seldom.
void DiracSolve::go_on_with_cg(std::vector<SolveReport>& reports, const SolveControl& control)
{
    std::map<int, SpinorCopy> kept;
    SolveControl rest = control;
    rest.progress = nullptr;
    int done = 0;
    for (int i = 0; i < graph_.rhs(); ++i) {
        if (!reports[i].breakdown) {
            kept.emplace(i, copy_of(y_, i));
            continue;
        }
        done = std::max(done, reports[i].iterations);
        if (!(reports[i].residual < 1)) y_.fill(ZeroSource(), i); // it has not come far
    }
    if (int(kept.size()) == graph_.rhs()) return;
    rest.max_iterations -= done;
    solver_.reset(); // its memory
    operator_.prepare(b_, r_);
    const auto cg = make_cg(operator_);
    cg->solve(r_, y_, rest, Guess::x);
    for (int i = 0; i < graph_.rhs(); ++i) {
        if (const auto it = kept.find(i); it != kept.end()) {
            qcd::put(it->second, y_, i);
            continue;
        }
        reports[i] = joined(reports[i], cg->reports()[i]);
        reports[i].cg_iterations = cg->reports()[i].iterations;
    }
    solver_ = make_solver(problem_.method, operator_);
}

SolveReport DiracSolve::resume(const State& s, const SolveControl& control)
{
    sums_.reset();
    return reach_true_residual(s.before
                                   ? reconstruct(go_on_with(Method::cg, *s.before, control, &s))
                                   : end(solver().resume(s, r_, y_, control), control),
                               control);
}

SolveReport DiracSolve::end(SolveReport report, const SolveControl& control)
{
    const auto goes_on = [&] {
        return lower_ && !report.converged && !report.interrupted && control.tol > 0 &&
               report.iterations < control.max_iterations;
    };
    if (goes_on() && problem_.sloppy == Precision::f16) // what has broken down may have by rounding
        report = go_on_in_single(report, control);
    if (goes_on() && !report.breakdown) report = go_on_with(problem_.method, report, control);
    if (problem_.method == Method::cr && report.breakdown && control.tol > 0)
        report = go_on_with(Method::cg, report, control);
    return reconstruct(std::move(report));
}

SolveReport DiracSolve::reconstruct(SolveReport report)
{
    operator_.reconstruct(y_, b_, x_);
    graph_.wait();
    return report;
}

SolveReport DiracSolve::go_on_in_single(const SolveReport& so_far, const SolveControl& control)
{
    lower_.reset(); // its memory
    lower_ = std::make_unique<Lower>(*this, Precision::f32);
    operator_.prepare(b_, r_);
    const Guess guess = so_far.residual < 1 ? Guess::x : Guess::zero; // else it has not come far
    SolveReport both =
        joined(so_far, lower_->solver.solve(r_, y_, rest_of(control, so_far), guess));
    both.single_iterations =
        both.iterations - so_far.iterations + so_far.single_iterations.value_or(0);
    lower_.reset();
    lower_ = std::make_unique<Lower>(*this, *problem_.sloppy);
    return both;
}

/// In double precision where there are two. CG on the normal equations has no breakdown: its
/// divisors are squares of vectors that vanish with the residual alone, which falls in each step.
/// from: null, or the state of the method that goes on.
SolveReport DiracSolve::go_on_with(Method method, const SolveReport& so_far,
                                   const SolveControl& control, const State* from)
{
    const bool was_mixed = lower_ != nullptr;
    solver_.reset(); // their memory
    lower_.reset();
    AfterFirst checkpoints(control.checkpoints, so_far);
    SolveControl rest = rest_of(control, so_far);
    rest.checkpoints = control.checkpoints ? &checkpoints : nullptr;
    if (!from) operator_.prepare(b_, r_);
    const Guess guess = so_far.residual < 1 ? Guess::x : Guess::zero; // else it has not come far
    const auto solver = make(method);
    SolveReport both = joined(so_far, from ? solver->resume(*from, r_, y_, rest)
                                           : solver->solve(r_, y_, rest, guess));
    const int more = both.iterations - so_far.iterations;
    if (method != problem_.method) both.cg_iterations = more + so_far.cg_iterations.value_or(0);
    if (was_mixed) both.double_iterations = more + so_far.double_iterations.value_or(0);
    if (was_mixed)
        lower_ = std::make_unique<Lower>(*this, *problem_.sloppy);
    else
        solver_ = make(problem_.method);
    return both;
}

SolveReport DiracSolve::run(const SolveControl& control, Guess guess)
{
    prepare(guess);
    return solver().run(r_, y_, control, guess);
}

void DiracSolve::finish()
{
    sums_.reset();
    solver().finish();
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
    const SolveReport report = solve_system(control, Guess::zero);
    graph_.wait();
    return report;
}

void DiracSolve::update_vectors(int times)
{
    sums_.reset();
    for (int i = 0; i < times; ++i) xpay(0, y_, r_);
    graph_.wait();
}

std::array<const SpinorField*, 2> DiracSolve::rest() const
{
    const SpinorField* odd = operator_.odd_sites();
    return {&r_, odd ? odd : &r_};
}

const std::vector<DiracSolve::Sums>& DiracSolve::sums()
{
    if (sums_) return *sums_;
    const Wilson in_double(graph_, links_, checking(problem_.precision), clover_);
    const LatticeSums rr(graph_, Sites::all), products(graph_, Sites::all);
    residual(in_double, problem_.dirac, x_, b_, rest(), rr);
    dot(b_, &x_, products);
    sums_.emplace();
    for (int i = 0; i < graph_.rhs(); ++i) {
        const auto p = products.wait(i); // (b|x), |x|^2, |b|^2
        sums_->push_back(
            {p[3] > 0 ? std::sqrt(rr.wait(i)[2] / p[3]) : 0, p[2], p[3], {p[0], p[1]}});
    }
    return *sums_;
}

std::vector<SolutionSums> DiracSolve::verify_all()
{
    std::vector<SolutionSums> all;
    for (const Sums& s : sums()) {
        const int i = int(all.size()), power = 2 * exponents_[all.size()];
        all.push_back({s.residual,
                       heavy_quark_residual(rest(), i),
                       times_power_of_two(s.norm2, power),
                       s.x_over_b(),
                       {times_power_of_two(s.source_dot[0], power),
                        times_power_of_two(s.source_dot[1], power)}});
    }
    return all;
}

/// On the host, in the order of sites: as everywhere, whatever the tiles. r: on even and odd sites.
double DiracSolve::heavy_quark_residual(const std::array<const SpinorField*, 2>& r, int rhs) const
{
    const Box& box = graph_.owned_box();
    const auto norm2 = [](const double* spinor) {
        double sum = 0;
        for (int i = 0; i < 24; ++i) sum += spinor[i] * spinor[i];
        return sum;
    };
    std::vector<double> norm2_x;
    norm2_x.reserve(volume(box));
    x_.visit([&](const Coord&, const double* x) { norm2_x.push_back(norm2(x)); }, rhs);
    HeavyQuarkResidual result;
    const auto add = [&](const Coord& c, const double* rest) {
        std::size_t site = 0; // of the box
        for (int mu = 3; mu >= 0; --mu) site = site * box.extents[mu] + (c[mu] - box.lower[mu]);
        result.add(norm2(rest), norm2_x[site]);
    };
    const std::span<std::byte> state = std::as_writable_bytes(std::span(&result, 1));
    r[0]->visit_in_turn(state, add, rhs);
    if (r[1] != r[0]) r[1]->visit_in_turn(state, add, rhs);
    return result.value();
}

long DiracSolve::tasks_an_iteration(const Tiling& tiling, const DiracProblem& p)
{
    struct Counts {
        int applications, updates, scalars, sums;
    };
    const auto counts = [&]() -> Counts {
        // Of GCR in the middle of a cycle, without what its preconditioner does.
        const int pairs = (p.restart / 2 + 1) / 2;
        switch (p.method) {
        case Method::cr:
            return {1, 1, 1, 2};
        case Method::cg:
            return {2, 2, 2, 3};
        case Method::bicgstab:
            return {2, 2, 2, 4};
        case Method::gcr:
            break;
        }
        return {1, 1 + pairs, 2 + (pairs + 1) / 2, 2 + pairs};
    };
    const Counts n = counts();
    const int tiles = tiling.tile_count(), parts = p.even_odd ? tiles : 2 * tiles;
    constexpr int hops = 2; // of an application: to the other parity and back, or to each
    return long(n.applications) * hops * tiles * (tiling.any_cut() ? 2 : 1) + n.updates * parts +
           n.scalars + n.sums * LatticeSums::merges(parts);
}

std::size_t DiracSolve::state_bytes(const Extents& lattice, const DiracProblem& p)
{
    constexpr std::size_t reals = 24;
    const std::size_t vectors = p.method == Method::gcr ? 2 + 2 * p.restart : 4; // of the others
    return vectors * reals * real_bytes(p.precision) * std::size_t(volume(lattice)) /
           (p.even_odd ? 2 : 1);
}

std::size_t DiracSolve::bytes(const Tiling& tiling, const DiracProblem& p, bool to_tolerance,
                              int rhs)
{
    const std::size_t half = SpinorField::bytes(tiling, p.precision, Sites::even);
    const std::size_t vector = p.even_odd ? half : 2 * half;
    const bool may_be_cg = p.method == Method::cr && to_tolerance;
    const int work = work_vectors(may_be_cg ? Method::cg : p.method, p.restart);
    const std::size_t own = rhs * work * vector;
    const auto bytes_in = [&](Precision lower) {
        return rhs * MixedSolver::bytes(tiling, lower, p.even_odd ? Sites::even : Sites::all,
                                        p.method, p.restart) +
               operator_bytes(tiling, lower, p, rhs);
    };
    std::size_t lower = 0;
    if (is_mixed(p)) lower = bytes_in(to_tolerance ? plain_precision(*p.sloppy) : *p.sloppy);
    const std::size_t inner = p.preconditioning ? inner_bytes(tiling, p) : 0;
    const std::size_t method =
        inner + (is_mixed(p) && !to_tolerance ? lower : std::max(own, lower));
    const std::size_t fields =
        2 * vector + (p.even_odd ? half : 0) /* H_oe */ + 4 * half /* b and x */ +
        2 * (Halo::bytes(tiling, p.precision) + Halo::bytes(tiling, checking(p.precision)));
    const std::size_t links =
        GaugeField::bytes(tiling, p.precision, p.links) + clover_bytes(tiling, p.precision, p);
    const std::size_t all = links + method + rhs * fields;
    const bool may_be_alone = rhs > 1 && (is_mixed(p) || to_tolerance);
    return may_be_alone ? all + bytes(tiling, p, to_tolerance) - links : all;
}

} // namespace qcd
