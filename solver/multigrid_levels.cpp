#include "solver/multigrid_levels.hpp"

#include "base/error.hpp"
#include "runtime/ranks.hpp"

#include <algorithm>

namespace qcd
{

std::vector<Extents> default_multigrid_blocks(const Extents& lattice)
{
    std::vector<Extents> all(1);
    Extents coarse;
    for (int mu = 0; mu < 4; ++mu) {
        const int l = lattice[mu];
        all[0][mu] = l % 4 == 0 ? 4 : l % 6 == 0 ? 6 : l % 2 == 0 ? 2 : 3;
        coarse[mu] = l / all[0][mu];
    }
    if (*std::min_element(lattice.begin(), lattice.end()) < 16) return all;
    Extents& second = all.emplace_back();
    for (int mu = 0; mu < 4; ++mu)
        second[mu] = coarse[mu] % 2 == 0 ? 2 : coarse[mu] % 3 == 0 ? 3 : 1;
    return all;
}

namespace
{

std::vector<Extents> blocks_of(const MultigridParameters& p, const Extents& lattice)
{
    return p.blocks.empty() ? default_multigrid_blocks(lattice) : p.blocks;
}

} // namespace

Extents multigrid_unit(const MultigridParameters& p, const Extents& lattice)
{
    Extents unit{1, 1, 1, 1};
    for (const Extents& b : blocks_of(p, lattice))
        for (int mu = 0; mu < 4; ++mu) unit[mu] *= b[mu];
    return unit;
}

std::deque<Level> MultigridLevels::levels_of(const Tiling& tiling, const MultigridParameters& p)
{
    const std::vector<Extents> blocks = blocks_of(p, tiling.lattice());
    std::deque<Level> all;
    all.emplace_back(tiling, blocks.front());
    for (std::size_t i = 1; i <= blocks.size(); ++i)
        all.emplace_back(all.back(), p.vectors,
                         i < blocks.size() ? std::optional(blocks[i]) : std::nullopt);
    return all;
}

MultigridLevels::MultigridLevels(LatticeGraph& graph, Precision precision,
                                 const MultigridParameters& p)
    : precision_(precision), levels_(levels_of(graph.tiling(), p)), order_(graph, levels_.front())
{
    if (graph.ranks().size() > 1) throw Error("multigrid: on one rank only so far");
    for (int i = 0; i + 1 < count(); ++i) {
        bases_.emplace_back(graph, precision, level(i), level(i + 1), p.vectors);
        matrices_.emplace_back(graph, precision, level(i + 1));
    }
}

SpinorField MultigridLevels::field(LatticeGraph& graph, int i, Contents contents) const
{
    return {graph, precision_, Sites::even, &level(i).blocks(), contents};
}

std::size_t MultigridLevels::bytes(const Tiling& tiling, Precision precision,
                                   const MultigridParameters& p)
{
    const std::deque<Level> levels = levels_of(tiling, p);
    std::size_t all = LevelOrder::bytes(tiling, levels.front());
    for (std::size_t i = 0; i + 1 < levels.size(); ++i)
        all += Basis::bytes(precision, levels[i], p.vectors) +
               CoarseMatrices::bytes(precision, levels[i + 1]);
    return all;
}

} // namespace qcd
