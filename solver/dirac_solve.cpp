#include "solver/dirac_solve.hpp"

#include "base/error.hpp"
#include "lattice/heavy_quark_residual.hpp"
#include "lattice/source_scale.hpp"
#include "lattice/spinor_digest.hpp"
#include "lattice/true_residual.hpp"
#include "solver/checkpoints.hpp"
#include "solver/multigrid.hpp"
#include "tasks/updates.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace qcd
{

namespace
{

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

/// Checkpoints of a method that goes on for another: iterations are counted over both, and states
/// have the reports of the first.
class AfterFirst : public Checkpoints
{
public:
    AfterFirst(Checkpoints& whole, std::vector<SolveReport> first)
        : whole_(whole), first_(std::move(first))
    {
        for (const SolveReport& r : first_) done_ = std::max(done_, r.iterations);
    }
    int pause_in(int begin, int end) override
    {
        const int pause = whole_.pause_in(done_ + begin, done_ + end);
        return pause ? pause - done_ : 0;
    }
    void take(int iterations, const std::function<std::vector<State>()>& states) override
    {
        whole_.take(done_ + iterations, [&] {
            std::vector<State> all = states();
            for (std::size_t i = 0; i < all.size(); ++i) all[i].before = first_[i];
            return all;
        });
    }

private:
    Checkpoints& whole_;
    std::vector<SolveReport> first_;
    int done_ = 0;
};

} // namespace

DiracSolve::DiracSolve(LatticeGraph& graph, const DiracProblem& p, GaugeSource& gauge)
    : graph_(graph), problem_(p), stages_(stages_of(p)),
      clover_(clover_of(graph, p.precision, p.dirac, inverse_of(p))),
      links_(graph, p.precision, gauge, p.antiperiodic, p.links, clover_.get()),
      wilson_(graph, links_, p.precision, clover_.get()), operator_(wilson_, p.dirac, matrix_of(p)),
      inner_(p.preconditioning ? std::make_unique<Inner>(*this, *p.preconditioning) : nullptr),
      b_(graph, p.precision, Sites::all), x_(graph, p.precision, Sites::all),
      r_(graph, p.precision, operator_.sites()), y_(graph, p.precision, operator_.sites()),
      exponents_(std::size_t(graph.rhs()))
{
    in_stage(0);
    Wilson::prepare(checking(p.precision), p.links);
}

DiracSolve::Lower::Lower(const DiracSolve& s, const Stage& stage)
    : clover(s.clover_ ? std::make_unique<CloverField>(*s.clover_) : nullptr),
      links(s.links_, *stage.lower), wilson(s.graph_, links, *stage.lower, clover.get()),
      A(wilson, s.problem_.dirac, matrix_of(s.problem_)),
      solver(s.operator_, A, stage.method, s.problem_.restart, s.problem_.sloppy_drop)
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
             clover ? clover.get() : s.clover_.get()),
      A(wilson, s.problem_.dirac, matrix_of(s.problem_, c))
{
    if (c.multigrid) {
        auto made = std::make_unique<Multigrid>(
            s.graph_, links ? *links : s.links_, clover ? clover.get() : s.clover_.get(),
            s.problem_.dirac, *c.multigrid, c.test_vectors.get());
        multigrid = made.get();
        M = std::move(made);
    } else {
        M = c.method ? make_inner_method(A, *c.method, c.iterations, c.restart)
                     : make_relaxation(A, c.iterations);
    }
}

const MultigridReport* DiracSolve::multigrid() const
{
    return inner_ && inner_->multigrid ? &inner_->multigrid->report() : nullptr;
}

void DiracSolve::measure_levels()
{
    if (inner_ && inner_->multigrid) inner_->multigrid->measure_levels();
}

/// The memory of another stage is freed before.
LinearSolver& DiracSolve::in_stage(std::size_t number)
{
    if (number != stage_ || (!solver_ && !lower_)) {
        solver_.reset();
        lower_.reset();
        const Stage& stage = stages_[stage_ = number];
        if (stage.lower)
            lower_ = std::make_unique<Lower>(*this, stage);
        else if (stage.method == Method::gcr && inner_)
            // The states of such a solve are not those of multigrid: its many vectors need no
            // memory of the host.
            solver_ = make_gcr(operator_, problem_.restart, inner_->M.get(),
                               inner_->multigrid ? Contents::of_tasks : Contents::zeros);
        else
            solver_ = make_solver(stage.method, operator_, problem_.restart);
    }
    return lower_ ? static_cast<LinearSolver&>(lower_->solver) : *solver_;
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

void DiracSolve::apply(const SpinorSource& psi, const SpinorField::Visitor& f)
{
    set_source(psi);
    DiracOperator(wilson_, problem_.dirac, Matrix::D)(b_, x_);
    visit_x(f);
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

/// A part of a solve, in one stage, for some of the right-hand sides: from what they have come to,
/// or from the state of each.
void DiracSolve::run(std::vector<Side>& sides, std::size_t stage, const Those& those,
                     const SolveControl& control, const std::vector<State>* from)
{
    sums_.reset();
    std::vector<Share> shares;
    std::vector<SolveReport> so_far;
    int done = 0;
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const SolveReport& r = so_far.emplace_back(sides[i].report);
        int most = control.max_iterations - r.iterations;
        if (stages_[stage].most && control.tol > 0)
            most = std::min(most, std::max(0, *stages_[stage].most - r.iterations));
        // Where it has not come far it begins anew; a stage that was given up may have left a large
        // x, whose digits are lost to what comes after.
        const bool was_given_up = sides[i].stage < stage && stages_[sides[i].stage].most;
        const double near = was_given_up ? 0.1 : 1;
        shares.push_back(
            {those[i], r.residual < near ? Guess::x : Guess::zero, most, sides[i].tol});
        if (those[i]) done = std::max(done, r.iterations);
    }
    const bool is_first = std::all_of(so_far.begin(), so_far.end(),
                                      [](const SolveReport& r) { return r.history.empty(); });
    SolveControl part = control; // counted after what was done
    part.progress = [&](int iteration, double residual) {
        if (control.progress && (is_first || iteration > 0))
            control.progress(done + iteration, residual);
    };
    std::optional<AfterFirst> checkpoints;
    if (control.checkpoints && stage > 0)
        part.checkpoints = &checkpoints.emplace(*control.checkpoints, so_far);
    LinearSolver& solver = in_stage(stage);
    std::vector<SolveReport> reports;
    if (from) {
        if (!solver_) throw Error("a solve in two precisions has no state");
        reports = solver_->resume(*from, r_, y_, part, shares);
    } else {
        operator_.prepare(b_, r_);
        reports = solver.solve(r_, y_, part, shares);
    }
    for (std::size_t i = 0; i < sides.size(); ++i)
        if (those[i]) {
            sides[i].report =
                so_far[i].history.empty() ? reports[i] : joined(so_far[i], reports[i]);
            sides[i].stage = stage;
            count(sides[i].report, stage, reports[i].iterations);
        }
}

/// Where iterations of later stages are told apart from those of the first one.
void DiracSolve::count(SolveReport& r, std::size_t stage, int iterations) const
{
    const auto add = [&](std::optional<int>& n) { n = n.value_or(0) + iterations; };
    if (stage == 0) return;
    if (stages_[stage].lower) add(r.single_iterations);
    if (!stages_[stage].lower && is_mixed(problem_)) add(r.double_iterations);
    if (stages_[stage].method == problem_.method) return;
    add(stages_[stage].method == Method::cg ? r.cg_iterations : r.bicgstab_iterations);
}

/// Solves for the sides that a stage has left open, in the stages that come after it.
void DiracSolve::go_on(std::vector<Side>& sides, const Those& those, const SolveControl& control)
{
    for (std::size_t stage = 1; stage < stages_.size() && control.tol > 0; ++stage) {
        Those next(sides.size());
        bool interrupted = false;
        for (std::size_t i = 0; i < sides.size(); ++i) {
            interrupted = interrupted || sides[i].report.interrupted;
            next[i] = those[i] && next_stage(stages_, sides[i].stage, sides[i].report,
                                             control.max_iterations) == stage;
        }
        if (!any(next)) continue;
        if (!interrupted) {
            run(sides, stage, next, control);
            continue;
        }
        for (std::size_t i = 0; i < sides.size(); ++i)
            if (next[i]) sides[i].report.interrupted = true;
    }
    operator_.reconstruct(y_, b_, x_);
    graph_.wait();
}

/// Together, each to a tolerance of its own, until the last one has what was asked for.
void DiracSolve::reach_true_residual(std::vector<Side>& sides, SolveControl control)
{
    control.checkpoints = nullptr;
    std::vector<TrueResidualGoal> goals(sides.size(), TrueResidualGoal(control.tol));
    Those open(sides.size(), control.tol > 0);
    const auto next = [&](std::size_t i) -> std::optional<double> {
        const SolveReport& r = sides[i].report;
        if (!r.converged || r.iterations >= control.max_iterations) return std::nullopt;
        const Sums& s = sums()[i];
        return goals[i].next(r.residual, s.residual,
                             {problem_.dirac.kappa, problem_.dirac.mubar, problem_.dirac.csw,
                              rounding_unit(problem_.precision), r.iterations, s.x_over_b()});
    };
    for (;;) {
        for (std::size_t i = 0; i < sides.size(); ++i) {
            const std::optional<double> tol = open[i] ? next(i) : std::nullopt;
            open[i] = tol.has_value();
            if (tol) sides[i].tol = *tol;
        }
        if (!any(open)) return;
        std::vector<Those> of_stage(stages_.size(), Those(sides.size()));
        for (std::size_t i = 0; i < sides.size(); ++i) of_stage[sides[i].stage][i] = open[i];
        for (std::size_t stage = 0; stage < stages_.size(); ++stage)
            if (any(of_stage[stage])) run(sides, stage, of_stage[stage], control);
        go_on(sides, open, control);
    }
}

/// The sides as they are before a solve.
std::vector<DiracSolve::Side> DiracSolve::sides(const SolveControl& control) const
{
    return std::vector<Side>(std::size_t(graph_.rhs()), {.tol = control.tol});
}

std::vector<SolveReport> DiracSolve::end(std::vector<Side> sides, const SolveControl& control)
{
    go_on(sides, Those(sides.size(), true), control);
    reach_true_residual(sides, control);
    std::vector<SolveReport> reports;
    for (Side& side : sides) reports.push_back(std::move(side.report));
    return reports;
}

std::vector<SolveReport> DiracSolve::solve(const SolveControl& control, Guess guess)
{
    std::vector<Side> sides = this->sides(control);
    if (guess == Guess::x) {
        scale(spin::real(1), x_, y_);
        for (Side& side : sides) side.report.residual = 0; // not known: x is what there is
    }
    run(sides, 0, Those(sides.size(), true), control);
    return end(std::move(sides), control);
}

std::vector<SolveReport> DiracSolve::resume(const std::vector<State>& states,
                                            const SolveControl& control)
{
    if (int(states.size()) != graph_.rhs())
        throw Error("the state of a solve is of {} right-hand sides, not of {}", states.size(),
                    graph_.rhs());
    std::vector<Side> sides = this->sides(control);
    Those those(states.size());
    std::size_t stage = 0;
    for (std::size_t i = 0; i < states.size(); ++i) {
        those[i] = states[i].takes_part();
        if (!states[i].before) continue;
        stage = sides[i].stage = stages_.size() - 1; // CG for CR
        sides[i].report = *states[i].before;
        sides[i].report.breakdown = those[i];
        if (!those[i]) sides[i].report.converged = sides[i].report.residual <= control.tol;
    }
    run(sides, stage, those, control, &states);
    return end(std::move(sides), control);
}

void DiracSolve::prepare()
{
    sums_.reset();
    in_stage(0);
    operator_.prepare(b_, r_);
    graph_.wait();
}

int DiracSolve::iterate(const SolveControl& control)
{
    const std::vector<Share> shares(std::size_t(graph_.rhs()),
                                    {.most = control.max_iterations, .tol = control.tol});
    int most = 0;
    for (const SolveReport& r : in_stage(0).solve(r_, y_, control, shares))
        most = std::max(most, r.iterations);
    graph_.wait();
    return most;
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
    const Wilson in_double(graph_, links_, checking(problem_.precision), clover_.get());
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

} // namespace qcd
