#include "solver/multigrid.hpp"

#include "base/error.hpp"
#include "codelets/multigrid/coarse_hop/slots.h"
#include "runtime/ranks.hpp"
#include "solver/method.hpp"
#include "tasks/updates.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace qcd
{

/// x = S r: a few iterations of GCR on A, or, where there is an even-odd system, on that.
class Multigrid::Smoother
{
public:
    explicit Smoother(const Operator& A, int restart)
        : solver_(make_gcr(A, restart)), b_(A.vector())
    {
    }
    /// On the even sites, with what leads there and back.
    Smoother(const DiracOperator& Dhat, int restart)
        : even_odd_(&Dhat), solver_(make_gcr(Dhat, restart)), b_(Dhat.vector())
    {
        x_.emplace(Dhat.graph(), Dhat.precision(), Sites::even);
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
class Multigrid::Cycle : public Preconditioner
{
public:
    /// order: of the finest level, whose fields are the lattice's; null: of others. next: the cycle
    /// of the coarse level; null: it is the coarsest.
    Cycle(const MultigridParameters& p, const Operator& A, const LevelOrder* order,
          const Basis& basis, const Operator& coarse, Preconditioner* next, Smoother& smoother)
        : p_(p), A_(A), order_(order), basis_(basis), smoother_(smoother),
          solver_(make_gcr(coarse, std::min(p.coarse_iterations, most_restart), next)),
          in_order_(A.graph(), A.precision(), Sites::even, &basis.level().blocks()),
          r_(coarse.vector()), e_(coarse.vector()), rest_(A.vector()), step_(A.vector())
    {
    }

    void operator()(const SpinorField& r, const SpinorField& z, const ScalarData& outer) override
    {
        restrict(r, r_, &outer);
        solver_->apply(r_, e_, p_.coarse_iterations, outer, p_.coarse_tolerance);
        prolong(e_, z, &outer);
        A_(z, rest_, {}, &outer);
        xpay(-1, r, rest_); // r - A z
        smoother_(rest_, step_, p_.smoothing, outer);
        xpay(1, step_, z);
    }
    /// One for what is left after the coarse correction, and those of the smoother.
    long applications() const override { return 1 + p_.smoothing; }

    void restrict(const SpinorField& r, const SpinorField& out, const ScalarData* gate)
    {
        if (order_) order_->to_level(r, in_order_, gate);
        basis_.restrict(order_ ? in_order_ : r, out, gate);
    }
    void prolong(const SpinorField& e, const SpinorField& out, const ScalarData* gate)
    {
        basis_.prolong(e, order_ ? in_order_ : out, gate);
        if (order_) order_->from_level(in_order_, out, gate);
    }

private:
    const MultigridParameters& p_;
    const Operator& A_;
    const LevelOrder* order_;
    const Basis& basis_;
    Smoother& smoother_;
    std::unique_ptr<Solver> solver_;
    SpinorField in_order_, r_, e_, rest_, step_;
};

/// What a level has to reach the next coarser one.
struct Multigrid::Stage {
    Stage(LatticeGraph& graph, Precision precision, const Level& level, const Level& coarse, int n)
        : basis(graph, precision, level, coarse, n), matrices(graph, precision, coarse),
          A(graph, precision, matrices)
    {
    }
    Basis basis;
    CoarseMatrices matrices;
    CoarseOperator A;                    // of the coarse level
    std::unique_ptr<DiracOperator> Dhat; // of the finest level
    std::unique_ptr<Smoother> smoother;  // of the level
    std::unique_ptr<Cycle> cycle;
};

Multigrid::~Multigrid() = default;

Multigrid::Multigrid(LatticeGraph& graph, const GaugeField& links, const CloverField* clover,
                     const DiracParameters& dirac, const MultigridParameters& p)
    : graph_(graph), links_(links), clover_(clover), dirac_(dirac), parameters_(p),
      wilson_(graph, links, links.precision(), clover), D_(wilson_, dirac, Matrix::D),
      r_(D_.vector()), z_(D_.vector())
{
    if (p.blocks.empty()) throw Error("multigrid: at least one level of blocks is needed");
    if (graph.ranks().size() > 1) throw Error("multigrid: on one rank only so far");
    levels_.emplace_back(graph.tiling(), p.blocks.front());
    for (std::size_t i = 1; i <= p.blocks.size(); ++i)
        levels_.emplace_back(levels_.back(), p.vectors,
                             i < p.blocks.size() ? std::optional(p.blocks[i]) : std::nullopt);
    order_ = std::make_unique<LevelOrder>(graph, levels_.front());
    const Precision precision = links.precision();
    for (std::size_t i = 0; i + 1 < levels_.size(); ++i)
        stages_.emplace_back(graph, precision, levels_[i], levels_[i + 1], p.vectors);
    for (std::size_t i = 0; i < stages_.size(); ++i) {
        Stage& s = stages_[i];
        if (i == 0) {
            s.Dhat = std::make_unique<DiracOperator>(wilson_, dirac, Matrix::Dhat);
            s.smoother = std::make_unique<Smoother>(*s.Dhat, p.smoothing);
        } else {
            s.smoother = std::make_unique<Smoother>(stages_[i - 1].A, p.smoothing);
        }
    }
    for (std::size_t i = stages_.size(); i-- > 0;) {
        Stage& s = stages_[i];
        const Operator& A = i == 0 ? static_cast<const Operator&>(D_) : stages_[i - 1].A;
        s.cycle = std::make_unique<Cycle>(
            parameters_, A, i == 0 ? order_.get() : nullptr, s.basis, s.A,
            i + 1 < stages_.size() ? stages_[i + 1].cycle.get() : nullptr, *s.smoother);
    }
    set_up();
}

void Multigrid::set_up()
{
    const int n = parameters_.vectors, together = graph_.rhs();
    const Scalars<gcr_scalars> open(graph_); // gates of nobody
    Fields v;
    for (int first = 0; first < n; first += together) {
        SpinorField& field = v.emplace_back(graph_, D_.precision(), Sites::all);
        for (int i = 0; i < together && first + i < n; ++i) {
            const std::uint64_t seed = parameters_.seed * 1000 + std::uint64_t(first + i);
            z_.fill(*open_spinor_source(fmt::format("random:{}", seed), graph_.tiling().lattice()),
                    i);
        }
        Graph::Batch batch(graph_);
        (*stages_.front().smoother)(z_, field, parameters_.first_iterations, open);
    }
    make_coarse(0, v);
    for (int turn = 0; turn < parameters_.refinements; ++turn) {
        for (SpinorField& field : v) {
            Graph::Batch batch(graph_);
            (*stages_.front().cycle)(field, z_, open);
            scale(spin::real(1), z_, field);
        }
        make_coarse(0, v);
    }
    r_.clear(); // on odd sites for good, where M is asked for on even ones
    graph_.wait();
}

/// From test vectors of a level: its basis and coarse operator, and those of the levels below.
void Multigrid::make_coarse(std::size_t stage, const Fields& test_vectors)
{
    Stage& s = stages_[stage];
    const int together = graph_.rhs();
    SpinorField in_order(graph_, D_.precision(), Sites::even, &levels_[stage].blocks());
    {
        Graph::Batch batch(graph_);
        for (std::size_t i = 0; i < test_vectors.size(); ++i) {
            const SpinorField* field = &test_vectors[i];
            if (stage == 0) {
                order_->to_level(*field, in_order, nullptr);
                field = &in_order;
            }
            s.basis.put(int(i) * together, *field);
        }
        s.basis.orthonormalise();
    }
    galerkin(stage);
    if (stage + 1 == stages_.size()) return;
    Fields coarse;
    {
        Graph::Batch batch(graph_);
        for (const SpinorField& field : test_vectors) {
            coarse.emplace_back(graph_, D_.precision(), Sites::even, &levels_[stage + 1].blocks());
            s.cycle->restrict(field, coarse.back(), nullptr);
        }
    }
    make_coarse(stage + 1, coarse);
}

/// P^dagger A P, column by column: what A makes of P times a unit vector on all coarse sites at once
/// is told apart by the terms that stay within an aggregate and those that leave it in a direction.
void Multigrid::galerkin(std::size_t stage)
{
    Stage& s = stages_[stage];
    const Level& level = levels_[stage];
    const Precision precision = D_.precision();
    SpinorField in(graph_, precision, Sites::even, &level.blocks()),
        out(graph_, precision, Sites::even, &level.blocks());
    const auto columns = [&](const auto& apply, const auto& put) {
        Graph::Batch batch(graph_);
        for (int column = 0; column < 2 * parameters_.vectors; column += graph_.rhs()) {
            s.basis.prolong_unit(column, in);
            apply();
            put(column);
        }
    };
    const auto within = [&](int column) { s.matrices.put_within(s.basis, column, out); };
    if (stage > 0) {
        const CoarseMatrices& A = stages_[stage - 1].matrices;
        columns([&] { A.hop(in, out, QCD_WITHIN, nullptr, nullptr); }, within);
        for (int d = 0; d + 1 < QCD_COARSE_DIRECTIONS; ++d)
            if (!level.whole(d % 4))
                columns([&] { A.hop(in, out, QCD_ACROSS + d, nullptr, nullptr); },
                        [&](int column) { s.matrices.put_across(s.basis, d, column, out); });
        return;
    }
    const Extents lattice = graph_.tiling().lattice();
    const auto with = [&](std::optional<int> across, const auto& apply, const auto& put) {
        const GaugeField links(links_, precision, Domains(lattice, level.aggregate(), across));
        const Wilson wilson(graph_, links, precision, across ? nullptr : clover_);
        columns(
            [&] {
                order_->from_level(in, r_, nullptr);
                apply(wilson);
                order_->to_level(z_, out, nullptr);
            },
            put);
        graph_.wait();
    };
    with(
        std::nullopt,
        [&](const Wilson& wilson) { DiracOperator(wilson, dirac_, Matrix::D)(r_, z_); }, within);
    for (int mu = 0; mu < 4; ++mu) {
        if (level.whole(mu)) continue;
        with(
            mu,
            [&](const Wilson& wilson) {
                for (const int parity : {0, 1})
                    wilson.hop(
                        {.parity = parity, .out = &z_, .psi = &r_, .b = spin::real(-dirac_.kappa)});
            },
            [&](int column) { s.matrices.put_both_across(s.basis, mu, column, out); });
    }
}

void Multigrid::operator()(const SpinorField& r, const SpinorField& z, const ScalarData& outer)
{
    const bool is_wider = r.precision() != r_.precision();
    if (is_wider)
        narrow(r, r_);
    else
        scale(spin::real(1), r, r_, r.sites());
    (*stages_.front().cycle)(r_, z_, outer);
    if (is_wider)
        widen(z_, z, &outer);
    else
        scale(spin::real(1), z_, z, &outer);
}

/// The even-odd system of the smoother costs half a hop before it and half a hop after it.
long Multigrid::applications() const { return stages_.front().cycle->applications() + 1; }

const Basis& Multigrid::basis(int level) const { return stages_[std::size_t(level)].basis; }
const Operator& Multigrid::coarse_operator(int level) const
{
    return stages_[std::size_t(level)].A;
}

std::size_t Multigrid::bytes(const Tiling& tiling, Precision precision,
                             const MultigridParameters& p, int right_hand_sides)
{
    const auto rhs = std::size_t(right_hand_sides);
    const std::size_t whole = SpinorField::bytes(tiling, precision, Sites::all),
                      half = SpinorField::bytes(tiling, precision, Sites::even);
    const auto fields_of = [](int restart) { return std::size_t(gcr_needs(restart).vectors) + 3; };
    Level level(tiling, p.blocks.front());
    const std::size_t batches = (std::size_t(p.vectors) + rhs - 1) / rhs;
    std::size_t all = LevelOrder::bytes(tiling, level) +
                      rhs * ((4 + batches) * whole + (fields_of(p.smoothing) + 1) * half) +
                      GaugeField::bytes(tiling, precision);
    for (std::size_t i = 1; i <= p.blocks.size(); ++i) {
        const bool is_last = i == p.blocks.size();
        const Level coarse(level, p.vectors, is_last ? std::nullopt : std::optional(p.blocks[i]));
        const std::size_t vectors = fields_of(std::min(p.coarse_iterations, most_restart)) +
                                    (is_last ? 0 : fields_of(p.smoothing) + batches + 3);
        all += Basis::bytes(precision, level, p.vectors) +
               CoarseMatrices::bytes(precision, coarse) +
               rhs * (3 * level.bytes(precision) + vectors * coarse.bytes(precision));
        level = coarse;
    }
    return all;
}

} // namespace qcd
