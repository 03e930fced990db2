#pragma once
// What crosses the boundaries of tiles: faces, sums, and the scalars made of them.

#include "lattice/precision.hpp"
#include "tasks/lattice_graph.hpp"

#include <memory>
#include <vector>

namespace qcd
{

class Wilson;
struct Hop;
struct ScalarStep;

/// Half spinors that tiles send to their neighbours: per tile, its faces (runtime/grid.hpp). Those
/// of other ranks' tiles are there where an owned tile needs them.
class Halo
{
public:
    virtual ~Halo() = default;
    Halo(const Halo&) = delete;
    Halo& operator=(const Halo&) = delete;
    /// No data where the direction is not cut.
    Data at(int tile, int face) const { return data_[Tiling::faces * tile + face]; }
    /// The tag of a face on its way to another rank.
    long tag(int tile, int face) const { return first_tag_ + Tiling::faces * tile + face; }
    /// Bytes of all faces.
    static std::size_t bytes(const Tiling&, Precision);

protected:
    explicit Halo(const LatticeGraph&);
    std::vector<Data> data_;

private:
    long first_tag_;
};

/// One way of moving them.
class Exchange
{
public:
    virtual ~Exchange() = default;
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    virtual std::unique_ptr<Halo> make_halo(Precision) = 0;
    /// Submits the faces of hop.psi and the hop of every tile, of a tiling that is cut. halo: that
    /// the hop before has not used; number: of this exchange, from 1 on.
    virtual void hop(const Wilson&, const Hop&, const Halo&, long number) = 0;
    /// The worker of each copy of the scalars, all of which are computed: one, or one a tile.
    virtual std::vector<int> owners_of_scalars() const = 0;
    /// Submits a step of each copy of the scalars, from sums of all tiles.
    virtual void scalars(const ScalarStep&) = 0;

protected:
    explicit Exchange(LatticeGraph& graph) : graph_(graph) {}
    LatticeGraph& graph_;
};

/// The exchange that the graph's plan says: linked workers write each other's memory
/// (peer_exchange.cpp); else StarPU moves what tasks of other tiles read (starpu_exchange.cpp),
/// from rank to rank, too. Throws Error where the plan is linked and not every worker has one tile.
std::unique_ptr<Exchange> make_exchange(LatticeGraph&);
std::unique_ptr<Exchange> make_starpu_exchange(LatticeGraph&);
std::unique_ptr<Exchange> make_peer_exchange(LatticeGraph&);

/// Most workers that can be linked.
extern const int most_linked_workers;

} // namespace qcd
