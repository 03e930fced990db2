#include "solver/multigrid_cycle.hpp"

#include "solver/method.hpp"
#include "tasks/updates.hpp"

#include <algorithm>
#include <chrono>

namespace qcd
{

/// x = S r: a few iterations of GCR on A, or, where there is an even-odd system, on that.
class MultigridCycle::Smoother
{
public:
    Smoother(const Operator& A, int restart)
        : solver_(make_gcr(A, restart, nullptr, Contents::of_tasks)),
          b_(A.vector(Contents::of_tasks))
    {
    }
    /// On the even sites, with what leads there and back.
    Smoother(const DiracOperator& Dhat, int restart)
        : even_odd_(&Dhat), solver_(make_gcr(Dhat, restart, nullptr, Contents::of_tasks)),
          b_(Dhat.vector(Contents::of_tasks))
    {
        x_.emplace(Dhat.graph(), Dhat.precision(), Sites::even, nullptr, Contents::of_tasks);
    }

    void operator()(const SpinorField& r, SpinorField& x, int iterations, const ScalarData& outer)
    {
        if (!even_odd_) {
            scale(spin::real(1), r, b_);
            solver_->apply(b_, x, iterations, outer);
            return;
        }
        even_odd_->prepare(r, b_);
        solver_->apply(b_, *x_, iterations, outer);
        even_odd_->reconstruct(*x_, r, x);
    }

private:
    const DiracOperator* even_odd_ = nullptr;
    std::unique_ptr<Solver> solver_;
    SpinorField b_;
    std::optional<SpinorField> x_;
};

/// The cycle of one level: z is about A^-1 r.
class MultigridCycle::OfLevel : public Preconditioner
{
public:
    /// next: the cycle of the coarse level; null: it is the coarsest.
    OfLevel(const MultigridParameters& p, const MultigridLevels& levels, int level,
            const Operator& A, const Operator& coarse, OfLevel* next, Smoother& smoother)
        : A_(A), next_(next), basis_(levels.basis(level)),
          order_(level == 0 ? &levels.order() : nullptr), smoother_(smoother),
          smoothing_(p.smoothing), iterations_(iterations_of(p, next)),
          tolerance_(p.coarse_tolerance),
          solver_(make_gcr(coarse, restart_of(p, next), next, Contents::of_tasks)),
          in_order_(levels.field(A.graph(), level)), r_(coarse.vector(Contents::of_tasks)),
          e_(coarse.vector(Contents::of_tasks)), rest_(A.vector(Contents::of_tasks)),
          step_(A.vector(Contents::of_tasks))
    {
    }

    void operator()(const SpinorField& r, const SpinorField& z, const ScalarData& outer) override
    {
        if (order_) order_->to_level(r, in_order_, &outer);
        basis_.restrict(order_ ? in_order_ : r, r_, &outer);
        solver_->apply(r_, e_, iterations_, outer, tolerance_);
        basis_.prolong(e_, order_ ? in_order_ : z, &outer);
        if (order_) order_->from_level(in_order_, z, &outer);
        A_(z, rest_, {}, &outer);
        xpay(-1, r, rest_); // r - A z
        smoother_(rest_, step_, smoothing_, outer);
        xpay(1, step_, z);
    }
    /// MultigridCycle::coarse_solves().
    void solve_below(const SpinorField& r, std::vector<CoarseSolve>& solves)
    {
        if (order_) order_->to_level(r, in_order_, nullptr);
        basis_.restrict(order_ ? in_order_ : r, r_, nullptr);
        const std::size_t here = solves.size();
        solves.emplace_back();
        if (next_) next_->solve_below(r_, solves);
        A_.graph().wait();
        const auto begin = std::chrono::steady_clock::now();
        const auto reports = solver_->solve(
            r_, e_, {.tol = tolerance_, .max_iterations = iterations_, .progress = {}},
            std::vector<Share>(std::size_t(A_.graph().rhs()),
                               {.most = iterations_, .tol = tolerance_}));
        A_.graph().wait();
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
        const auto slowest =
            std::max_element(reports.begin(), reports.end(), [](const auto& a, const auto& b) {
                return a.iterations < b.iterations;
            });
        solves[here] = {slowest->iterations, slowest->residual, taken.count()};
    }

    /// One for what is left after the coarse correction, and those of the smoother.
    long applications() const override { return 1 + smoothing_; }

    static int iterations_of(const MultigridParameters& p, bool has_next)
    {
        return has_next ? p.cycle_iterations : p.coarse_iterations;
    }
    static int restart_of(const MultigridParameters& p, bool has_next)
    {
        return std::min(iterations_of(p, has_next), most_restart);
    }

private:
    const Operator& A_;
    OfLevel* next_; // null: the coarse level is the coarsest
    const Basis& basis_;
    const LevelOrder*
        order_; // of the finest level, whose fields are the lattice's; null: of others
    Smoother& smoother_;
    int smoothing_, iterations_;
    double tolerance_;
    std::unique_ptr<Solver> solver_;
    SpinorField in_order_, r_, e_, rest_, step_;
};

MultigridCycle::~MultigridCycle() = default;

MultigridCycle::MultigridCycle(LatticeGraph& graph, const GaugeField& links,
                               const CloverField* clover, const DiracParameters& dirac,
                               const MultigridParameters& p, const MultigridLevels& levels)
    : wilson_(graph, links, links.precision(), clover), D_(wilson_, dirac, Matrix::D),
      Dhat_(wilson_, dirac, Matrix::Dhat)
{
    smoothers_.emplace_back(Dhat_, p.smoothing);
    for (int i = 1; i < levels.count(); ++i) {
        coarse_.emplace_back(graph, links.precision(), levels.matrices(i));
        if (i + 1 < levels.count()) smoothers_.emplace_back(coarse_.back(), p.smoothing);
    }
    for (int i = levels.count() - 1; i-- > 0;)
        cycles_.emplace_front(p, levels, i,
                              i == 0 ? static_cast<const Operator&>(D_) : coarse_operator(i),
                              coarse_operator(i + 1), cycles_.empty() ? nullptr : &cycles_.front(),
                              smoothers_[std::size_t(i)]);
}

void MultigridCycle::operator()(const SpinorField& r, const SpinorField& z, const ScalarData& outer)
{
    cycles_.front()(r, z, outer);
}

std::vector<MultigridCycle::CoarseSolve> MultigridCycle::coarse_solves(const SpinorField& r)
{
    std::vector<CoarseSolve> all;
    cycles_.front().solve_below(r, all);
    return all;
}

long MultigridCycle::applications() const { return cycles_.front().applications(); }

void MultigridCycle::smooth(const SpinorField& r, SpinorField& z, int iterations,
                            const ScalarData& outer)
{
    smoothers_.front()(r, z, iterations, outer);
}

std::size_t MultigridCycle::bytes(const Tiling& tiling, Precision precision,
                                  const MultigridParameters& p, int rhs)
{
    const std::size_t whole = SpinorField::bytes(tiling, precision, Sites::all),
                      half = SpinorField::bytes(tiling, precision, Sites::even);
    const auto levels = MultigridLevels::levels_of(tiling, p);
    const auto of_gcr = [](int restart) { return std::size_t(gcr_needs(restart).vectors); };
    // What D and Dhat need on odd sites, b and x of the smoother, what is left and a step of it.
    std::size_t all = (2 + 2 + of_gcr(p.smoothing)) * half + 2 * whole;
    for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
        const bool has_next = i + 2 < levels.size();
        all += levels[i].bytes(precision) + // in the order of its aggregates
               (2 + of_gcr(OfLevel::restart_of(p, has_next))) * levels[i + 1].bytes(precision);
        if (i > 0) all += (3 + of_gcr(p.smoothing)) * levels[i].bytes(precision);
    }
    return std::size_t(rhs) * all;
}

} // namespace qcd
