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
/// the upper face. Memory is StarPU's, where the tasks run.
class Halo
{
public:
    Halo(const Tiling&, Precision);
    ~Halo();
    Halo(const Halo&) = delete;
    Halo& operator=(const Halo&) = delete;
    /// No data where the direction is not cut.
    Data at(int tile, int face) const { return data_[8 * tile + face]; }
    /// Between linked workers: what says that the face is there; and all such flags of the faces
    /// that come to a tile, in steps of flag_bytes.
    Data flag(int tile, int face) const { return flags_[8 * tile + face]; }
    Data flags_at(int receiver) const { return {.peer = peer_memory_[receiver]->at(0)}; }
    static constexpr std::size_t flag_bytes = 64;
    static std::size_t bytes(const Tiling&, Precision);

private:
    void link(const Tiling&, Precision);
    std::vector<Data> data_, flags_;
    std::vector<std::unique_ptr<PeerMemory>> peer_memory_; // of the faces that come to a tile
};

} // namespace qcd
