#pragma once

#include "lattice/box.hpp"
#include "runtime/graph.hpp"
#include "tasks/tiling.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace qcd
{

class Exchange;

/// A graph of operations on a tiled lattice; its parts are the tiles. Where several ranks share the
/// lattice each has one, of the same tiling, with the data and operations of its own tiles.
class LatticeGraph : public Graph
{
public:
    /// Owners of the plan, if any, are those of the tiles. ranks: the plan's in each direction, of
    /// which x is not cut, numbered y fastest. Throws Error where the plan is linked and a worker
    /// has no tile, or several, and where a rank has no tile.
    /// rhs: right-hand sides; spinor fields, sums and scalars on this graph are of so many, one
    /// behind the other, and every operation computes all.
    explicit LatticeGraph(Tiling, Plan = {}, const Extents& ranks = {1, 1, 1, 1}, int rhs = 1);
    /// A graph like another, for so many right-hand sides (Graph). Data that do not depend on their
    /// number may be used in operations of both, one after the other.
    LatticeGraph(const LatticeGraph& like, int rhs);
    ~LatticeGraph();

    const Tiling& tiling() const { return tiling_; }
    int rhs() const { return layers(); }
    /// The worker of an owned tile; -1: any.
    int owner_of_tile(int tile) const;
    int owner_of_scalars() const { return owner(0, 1); }
    /// The tiles whose data are allocated, filled and computed here, ascending: all where one
    /// process has the lattice.
    const std::vector<int>& owned_tiles() const { return owned_; }
    /// Their sites.
    const Box& owned_box() const { return box_; }
    int rank_of_tile(int tile) const;
    bool owns(int tile) const { return rank_of_tile(tile) == rank_; }
    /// Sites of a time slice that one rank has and that follow each other in site order; slice
    /// after slice.
    struct Run {
        int rank;
        Box box;
    };
    std::vector<Run> runs() const;
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
    void set_up();
    Tiling tiling_;
    Extents rank_grid_;
    int rank_;
    std::vector<int> owned_;
    Box box_;
    std::unique_ptr<Exchange> exchange_;
};

} // namespace qcd
