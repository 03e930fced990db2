#pragma once
// What crosses the boundaries of tiles.

#include "codelets/runtime/peer_memory.hpp"
#include "tasks/submit.hpp"
#include "tasks/tiling.hpp"

#include <memory>
#include <vector>

namespace qcd
{

/// Half spinors that tiles send to their neighbours: per tile, 2*mu for the lower and 2*mu+1 for
/// the upper face. Memory is StarPU's, where the tasks run; with linked workers PeerMemory.
class Halo
{
public:
    Halo(const Tiling&, Precision);
    ~Halo();
    Halo(const Halo&) = delete;
    Halo& operator=(const Halo&) = delete;
    /// Between linked workers with flags behind it. No data where the direction is not cut.
    Data at(int tile, int face) const { return data_[8 * tile + face]; }
    static std::size_t bytes(const Tiling&, Precision);

private:
    void link(const Tiling&, Precision);
    std::vector<Data> data_;
    std::vector<std::unique_ptr<PeerMemory>> peer_memory_; // of the faces that come to a tile
};

} // namespace qcd
