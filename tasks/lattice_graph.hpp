#pragma once

#include "runtime/graph.hpp"
#include "tasks/tiling.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace qcd
{

class Exchange;

/// A graph of operations on a tiled lattice; its parts are the tiles.
class LatticeGraph : public Graph
{
public:
    /// Owners of the plan, if any, are those of the tiles. Throws Error where the plan is linked
    /// and a worker has no tile, or several.
    explicit LatticeGraph(Tiling, Plan = {});
    ~LatticeGraph();

    const Tiling& tiling() const { return tiling_; }
    /// The worker of a tile; -1: any.
    int owner_of_tile(int tile) const { return owner(tile, tiling_.tile_count()); }
    int owner_of_scalars() const { return owner(0, 1); }
    /// The tiles whose data are allocated, filled and computed here, ascending: all, as long as one
    /// process has the lattice.
    const std::vector<int>& owned_tiles() const { return owned_; }
    /// How faces, sums and scalars get from tile to tile.
    Exchange& exchange() const { return *exchange_; }

    /// One operation on a field: calls f(tile) for each owned tile, from the end where the sweep
    /// before began.
    template <class F>
    void sweep(const F& f)
    {
        if (turn())
            for (auto tile = owned_.rbegin(); tile != owned_.rend(); ++tile) f(*tile);
        else
            for (const int tile : owned_) f(tile);
    }

private:
    Tiling tiling_;
    std::vector<int> owned_;
    std::unique_ptr<Exchange> exchange_;
};

} // namespace qcd
