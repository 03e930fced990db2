#include "solver/multigrid.hpp"

#include "solver/multigrid_setup.hpp"
#include "tasks/updates.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace qcd
{

namespace
{

/// Test vectors are made several at a time, for which links and P are read once: so many that little
/// is left to gain, as each takes memory, and that kernels can number them.
int made_at_once(const Tiling& tiling, const MultigridParameters& p)
{
    constexpr int enough = 4;
    int blocks = 1;
    for (int tile = 0; tile < tiling.tile_count(); ++tile)
        blocks = std::max(blocks, tiling.shape(tile).blocks);
    return std::clamp(most_blocks / blocks, 1, std::min(enough, p.vectors));
}

MultigridReport report_of(const MultigridLevels& levels, Precision precision,
                          const MultigridParameters& p, double seconds)
{
    MultigridReport r{.levels = {},
                      .vectors = p.vectors,
                      .first_iterations = p.first_iterations,
                      .refinements = p.refinements,
                      .cycle_iterations = p.cycle_iterations,
                      .coarse_iterations = p.coarse_iterations,
                      .coarse_tolerance = p.coarse_tolerance,
                      .seconds = seconds};
    for (int i = 0; i < levels.count(); ++i) {
        const Level& level = levels.level(i);
        const bool is_coarsest = i + 1 == levels.count();
        std::size_t bytes = i > 0 ? CoarseMatrices::bytes(precision, level) : 0;
        if (!is_coarsest) bytes += Basis::bytes(precision, level, p.vectors);
        r.levels.push_back({level.lattice(), level.components(),
                            is_coarsest ? std::nullopt : std::optional(level.aggregate()), bytes});
    }
    return r;
}

} // namespace

Multigrid::Multigrid(LatticeGraph& graph, const GaugeField& links, const CloverField* clover,
                     const DiracParameters& dirac, const MultigridParameters& p,
                     TestVectors* vectors)
    : levels_(graph, links.precision(), p)
{
    const auto begin = std::chrono::steady_clock::now();
    {
        LatticeGraph several(graph, made_at_once(graph.tiling(), p));
        make_levels(levels_, several, links, clover, dirac, p, vectors);
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    report_ = report_of(levels_, links.precision(), p, taken.count());
    cycle_ = std::make_unique<MultigridCycle>(graph, links, clover, dirac, p, levels_);
    for (auto* field : {&r_, &z_})
        field->emplace(graph, links.precision(), Sites::all, nullptr, Contents::of_tasks);
    r_->clear(); // on odd sites for good, where M is asked for on even ones
    graph.wait();
}

void Multigrid::operator()(const SpinorField& r, const SpinorField& z, const ScalarData& outer)
{
    const bool is_wider = r.precision() != r_->precision();
    if (is_wider)
        narrow(r, *r_);
    else
        scale(spin::real(1), r, *r_, r.sites());
    (*cycle_)(*r_, *z_, outer);
    if (is_wider)
        widen(*z_, z, &outer);
    else
        scale(spin::real(1), *z_, z, &outer);
}

void Multigrid::measure_levels()
{
    LatticeGraph& graph = r_->graph();
    const std::vector<MultigridCycle::CoarseSolve> coarse = cycle_->coarse_solves(*r_);
    const Scalars<gcr_scalars> open(graph); // gates of nobody
    const auto begin = std::chrono::steady_clock::now();
    {
        Graph::Batch batch(graph);
        (*cycle_)(*r_, *z_, open);
    }
    graph.wait();
    const std::chrono::duration<double> cycle = std::chrono::steady_clock::now() - begin;
    // A solve on a coarse level contains those of the next one, as many as it has iterations.
    double times = 1, left = 1; // in a cycle; the share of this level and those below
    for (std::size_t i = 0; i < report_.levels.size(); ++i) {
        LevelWork& work = report_.levels[i].work.emplace();
        if (i > 0) {
            const MultigridCycle::CoarseSolve& s = coarse[i - 1];
            work.iterations = s.iterations;
            work.factor = s.iterations > 0 ? std::pow(s.residual, 1.0 / s.iterations) : 0;
            times *= s.iterations;
        }
        const double below =
            i < coarse.size() ? std::min(left, times * coarse[i].seconds / cycle.count()) : 0;
        work.share = left - below;
        left = below;
    }
}

/// The even-odd system of the smoother costs half a hop before it and half a hop after it.
long Multigrid::applications() const { return cycle_->applications() + 1; }

std::size_t Multigrid::bytes(const Tiling& tiling, Precision precision,
                             const MultigridParameters& p, int rhs)
{
    const std::size_t to_use =
        MultigridCycle::bytes(tiling, precision, p, rhs) +
        2 * std::size_t(rhs) * SpinorField::bytes(tiling, precision, Sites::all);
    return MultigridLevels::bytes(tiling, precision, p) +
           std::max(to_use, bytes_to_make_levels(tiling, precision, p, made_at_once(tiling, p)));
}

} // namespace qcd
