#include "solver/multigrid_setup.hpp"

#include "codelets/multigrid/coarse_hop/slots.h"
#include "tasks/updates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

namespace qcd
{

namespace
{

using Fields = std::deque<SpinorField>;

class SetUp
{
public:
    SetUp(MultigridLevels& levels, LatticeGraph& graph, const GaugeField& links,
          const CloverField* clover, const DiracParameters& dirac, const MultigridParameters& p)
        : levels_(levels), graph_(graph), links_(links), dirac_(dirac), p_(p),
          cycle_(graph, links, clover, dirac, p, levels), in_(cycle_.D().vector()),
          out_(cycle_.D().vector(Contents::of_tasks)), open_(graph)
    {
        for (int i = 0; i + 1 < levels.count(); ++i) on_level_.emplace_back(levels, graph, i);
        const Level& finest = levels.level(0);
        cuts_.emplace_back(graph, links, clover, finest.aggregate(), std::nullopt);
        for (int mu = 0; mu < 4; ++mu)
            if (!finest.whole(mu))
                cuts_.emplace_back(graph, links, nullptr, finest.aggregate(), mu);
    }

    void operator()(TestVectors* store)
    {
        Fields v = first_vectors(store);
        make(0, v);
        for (int turn = 0; turn < p_.refinements; ++turn) {
            orthonormalise(v);
            for (SpinorField& field : v) {
                Graph::Batch batch(graph_);
                cycle_(field, out_, open_);
                scale(spin::real(1), out_, field);
            }
            make(0, v);
        }
        graph_.wait();
        if (store) keep(v, *store);
    }

private:
    /// Random numbers to which the smoother is applied, or those that are kept.
    Fields first_vectors(TestVectors* store)
    {
        const auto kept = store ? store->kept() : std::vector<std::unique_ptr<SpinorSource>>();
        Fields v;
        for (int first = 0; first < p_.vectors; first += graph_.rhs()) {
            SpinorField& field =
                v.emplace_back(graph_, links_.precision(), Sites::all, nullptr, Contents::of_tasks);
            for (int i = first; i < std::min(first + graph_.rhs(), p_.vectors); ++i)
                in_.fill(kept.empty() ? *random_numbers(i) : *kept[std::size_t(i)], i - first);
            Graph::Batch batch(graph_);
            if (kept.empty())
                cycle_.smooth(in_, field, p_.first_iterations, open_);
            else
                scale(spin::real(1), in_, field);
        }
        return v;
    }

    std::unique_ptr<SpinorSource> random_numbers(int vector) const
    {
        return open_spinor_source(fmt::format("det:{}", p_.seed * 1000 + std::uint64_t(vector)),
                                  graph_.tiling().lattice());
    }

    void keep(const Fields& v, TestVectors& store) const
    {
        int left = p_.vectors;
        for (const SpinorField& field : v) {
            scale(spin::real(1), field, in_);
            for (int i = 0; i < graph_.rhs() && left-- > 0; ++i) store.keep(in_, i);
        }
    }

    /// In all of the lattice: what cycles make of them would soon be but the lowest mode. They are P
    /// of what they are on the next level, where it is done: by the host, in the order of sites.
    void orthonormalise(Fields& v)
    {
        const Level& coarse = levels_.level(1);
        SpinorField e = levels_.field(graph_, 1, Contents::zeros);
        std::vector<LevelValues> all;
        for (const SpinorField& field : v) {
            levels_.order().to_level(field, on_level_[0].in, nullptr);
            levels_.basis(0).restrict(on_level_[0].in, e, nullptr);
            for (int i = 0; i < graph_.rhs() && int(all.size()) < p_.vectors; ++i)
                all.push_back(coarse.values(e, i));
        }
        make_orthonormal(all);
        auto next = all.begin();
        for (SpinorField& field : v) {
            for (int i = 0; i < graph_.rhs() && next != all.end(); ++i)
                coarse.put_values(e, i, *next++);
            levels_.basis(0).prolong(e, on_level_[0].in, nullptr);
            levels_.order().from_level(on_level_[0].in, field, nullptr);
        }
    }

    /// A field on each level but the coarsest: what is put into the basis, or before and after its
    /// operator.
    struct OnLevel {
        OnLevel(const MultigridLevels& levels, LatticeGraph& graph, int level)
            : in(levels.field(graph, level)), out(levels.field(graph, level))
        {
        }
        SpinorField in, out;
    };

    /// From test vectors of a level: its basis and the operator of the next one, and those of the
    /// levels below.
    void make(int level, const Fields& test_vectors)
    {
        Basis& basis = levels_.basis(level);
        const SpinorField& in_order = on_level_[std::size_t(level)].in;
        const auto ordered = [&](const SpinorField& v) -> const SpinorField& {
            if (level > 0) return v;
            levels_.order().to_level(v, in_order, nullptr);
            return in_order;
        };
        {
            Graph::Batch batch(graph_);
            int first = 0;
            for (const SpinorField& v : test_vectors) {
                basis.put(first, ordered(v));
                first += graph_.rhs();
            }
            basis.orthonormalise(graph_);
        }
        make_operator(level + 1);
        if (level + 2 == levels_.count()) return;
        Fields coarse;
        {
            Graph::Batch batch(graph_);
            for (const SpinorField& v : test_vectors) {
                coarse.emplace_back(graph_, links_.precision(), Sites::even,
                                    &levels_.level(level + 1).blocks(), Contents::of_tasks);
                basis.restrict(ordered(v), coarse.back(), nullptr);
            }
        }
        make(level + 1, coarse);
    }

    /// P^dagger A P, column by column: what A makes of P times a unit vector on all coarse sites at
    /// once is told apart by the terms that stay within an aggregate and those that leave it in a
    /// direction.
    void make_operator(int of)
    {
        const Level& level = levels_.level(of - 1);
        const Basis& basis = levels_.basis(of - 1);
        CoarseMatrices& matrices = levels_.matrices(of);
        const SpinorField &in = on_level_[std::size_t(of) - 1].in,
                          &out = on_level_[std::size_t(of) - 1].out;
        const auto columns = [&](const auto& apply, const auto& put) {
            Graph::Batch batch(graph_);
            for (int column = 0; column < 2 * p_.vectors; column += graph_.rhs()) {
                basis.prolong_unit(column, in);
                apply();
                put(column);
            }
        };
        const auto within = [&](int column) { matrices.put_within(basis, column, out); };
        if (of > 1) {
            const CoarseMatrices& A = levels_.matrices(of - 1);
            columns([&] { A.hop(in, out, QCD_WITHIN, nullptr, nullptr); }, within);
            for (int d = 0; d + 1 < QCD_COARSE_DIRECTIONS; ++d)
                if (!level.whole(d % 4))
                    columns([&] { A.hop(in, out, QCD_ACROSS + d, nullptr, nullptr); },
                            [&](int column) { matrices.put_across(basis, d, column, out); });
            return;
        }
        for (const Cut& cut : cuts_)
            columns(
                [&] {
                    levels_.order().from_level(in, in_, nullptr);
                    cut(dirac_, in_, out_);
                    levels_.order().to_level(out_, out, nullptr);
                },
                [&](int column) {
                    if (cut.across)
                        matrices.put_both_across(basis, *cut.across, column, out);
                    else
                        within(column);
                });
    }

    /// D without the links that leave aggregates, or of those alone that leave them in a direction.
    struct Cut {
        Cut(LatticeGraph& graph, const GaugeField& whole, const CloverField* clover,
            const Extents& aggregate, std::optional<int> mu)
            : across(mu),
              links(whole, whole.precision(), Domains(graph.tiling().lattice(), aggregate, across)),
              wilson(graph, links, links.precision(), across ? nullptr : clover)
        {
        }
        void operator()(const DiracParameters& dirac, const SpinorField& in,
                        const SpinorField& out) const
        {
            if (!across) return DiracOperator(wilson, dirac, Matrix::D)(in, out);
            for (const int parity : {0, 1})
                wilson.hop(
                    {.parity = parity, .out = &out, .psi = &in, .b = spin::real(-dirac.kappa)});
        }
        std::optional<int> across;
        GaugeField links;
        Wilson wilson;
    };

    MultigridLevels& levels_;
    LatticeGraph& graph_;
    const GaugeField& links_;
    const DiracParameters& dirac_;
    const MultigridParameters& p_;
    MultigridCycle cycle_;
    SpinorField in_, out_; // on all sites
    std::deque<OnLevel> on_level_;
    std::deque<Cut> cuts_;
    Scalars<gcr_scalars> open_; // gates of nobody
};

} // namespace

void make_levels(MultigridLevels& levels, LatticeGraph& graph, const GaugeField& links,
                 const CloverField* clover, const DiracParameters& dirac,
                 const MultigridParameters& p, TestVectors* vectors)
{
    SetUp(levels, graph, links, clover, dirac, p)(vectors);
}

std::size_t bytes_to_make_levels(const Tiling& tiling, Precision precision,
                                 const MultigridParameters& p, int rhs)
{
    const std::size_t whole = SpinorField::bytes(tiling, precision, Sites::all);
    const auto batches = std::size_t((p.vectors + rhs - 1) / rhs);
    // Test vectors, in_ and out_, a field before and after the operator in the order of levels, and
    // the links that are cut.
    return MultigridCycle::bytes(tiling, precision, p, rhs) +
           std::size_t(rhs) * (batches + 2 + 2) * whole + 5 * GaugeField::bytes(tiling, precision);
}

} // namespace qcd
