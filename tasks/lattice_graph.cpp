#include "tasks/lattice_graph.hpp"

#include "base/error.hpp"
#include "runtime/ranks.hpp"
#include "tasks/exchange.hpp"

#include <algorithm>

namespace qcd
{

LatticeGraph::LatticeGraph(Tiling tiling, Plan plan, const Extents& ranks_of_directions, int rhs)
    : Graph(std::move(plan), rhs), tiling_(std::move(tiling)), rank_grid_(ranks_of_directions),
      rank_(ranks().rank())
{
    set_up();
}

LatticeGraph::LatticeGraph(const LatticeGraph& like, int rhs)
    : Graph(like, rhs), tiling_(like.tiling_), rank_grid_(like.rank_grid_), rank_(like.rank_)
{
    set_up();
}

void LatticeGraph::set_up()
{
    for (int mu = 0; mu < 4; ++mu)
        if (rank_grid_[mu] > (mu == 0 ? 1 : tiling_.tiles()[mu]) ||
            volume(rank_grid_) != ranks().size())
            throw Error("ranks: {} of {} for {} tiles", to_string(rank_grid_), ranks().size(),
                        to_string(tiling_.tiles()));
    if (rhs() < 1) throw Error("{} right-hand sides", rhs());
    for (int tile = 0; rhs() > 1 && tile < tiling_.tile_count(); ++tile)
        if (tiling_.shape(tile).blocks > most_blocks / rhs())
            throw Error("tiles: {} right-hand sides of a tile are more than kernels can "
                        "number: cut the lattice into more (--tiles)",
                        rhs());
    for (int tile = 0; tile < tiling_.tile_count(); ++tile)
        if (owns(tile)) owned_.push_back(tile);
    const Coord last = tiling_.origin(owned_.back());
    box_.lower = tiling_.origin(owned_.front());
    for (int mu = 0; mu < 4; ++mu)
        box_.extents[mu] = last[mu] + tiling_.extents(owned_.back())[mu] - box_.lower[mu];
    exchange_ = make_exchange(*this);
}

LatticeGraph::~LatticeGraph() { wait(); } // who still writes into another's memory?

int LatticeGraph::rank_of_tile(int tile) const
{
    const Coord place = tiling_.place_of(tile);
    int rank = 0;
    for (int mu = 3; mu >= 0; --mu)
        rank = rank * rank_grid_[mu] + place[mu] * rank_grid_[mu] / tiling_.tiles()[mu];
    return rank;
}

int LatticeGraph::owner_of_tile(int tile) const
{
    const auto at = std::lower_bound(owned_.begin(), owned_.end(), tile);
    return owner(int(at - owned_.begin()), int(owned_.size()));
}

std::vector<LatticeGraph::Run> LatticeGraph::runs() const
{
    const Extents& l = tiling_.lattice();
    std::vector<Run> all;
    const bool cut_y = rank_grid_[1] > 1; // else whole planes follow each other
    const int rows = cut_y ? 1 : l[1], grows = cut_y ? 1 : 2;
    for (int t = 0; t < l[3]; ++t)
        for (int z = 0; z < l[2]; ++z)
            for (int y = 0; y < l[1]; y += rows) {
                const Coord at{0, y, z, t};
                const int rank = rank_of_tile(tiling_.part_of(at));
                const bool is_new = cut_y ? y == 0 : z == 0;
                if (!is_new && all.back().rank == rank)
                    all.back().box.extents[grows] += grows == 1 ? rows : 1;
                else
                    all.push_back({rank, {at, {l[0], rows, 1, 1}}});
            }
    return all;
}

} // namespace qcd
