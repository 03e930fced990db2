#pragma once
// Host memory that is registered as data of the task graph.

#include "tasks/lattice_graph.hpp"

#include <functional>
#include <span>
#include <vector>

namespace qcd
{

/// Which sites a spinor field lives on. Parity 0 is even: (x+y+z+t) mod 2 = 0.
enum class Sites { even, odd, all };
inline bool has_parity(Sites s, int parity) { return s == Sites::all || int(s) == parity; }
/// The parities that `sites` has, ascending.
inline std::span<const int> parities(Sites sites)
{
    static constexpr int both[] = {0, 1};
    return sites == Sites::all ? std::span(both) : std::span(both).subspan(int(sites), 1);
}

/// What is in new memory. `none`: anything; it takes no room before it is written, which all of it
/// has to be, and is pinned when it has been (make_constant). `of_tasks`: tasks alone use it, of
/// which one writes all of it first: no HostAccess, and where devices alone compute no memory of
/// the host.
enum class Contents { zeros, none, of_tasks };

/// Handles of equal kind, one per (parity, owned tile), over one allocation that is pinned for GPUs
/// and aligned for streaming stores. Not copyable: handles are unregistered at the end of its life,
/// which waits for their tasks.
class TileData
{
public:
    /// bytes(tile) each; parities that `sites` has. Throws Error when kernels cannot index a tile,
    /// or there is no memory.
    TileData(LatticeGraph&, Sites sites, const std::function<std::size_t(int tile)>& bytes,
             std::size_t element_bytes, Contents = Contents::zeros);
    ~TileData();
    TileData(const TileData&) = delete;
    TileData& operator=(const TileData&) = delete;

    Data at(int parity, int tile) const { return data_[parity][tile]; }
    /// Says that it is only read from now on (Graph::make_constant). No HostAccess is alive.
    void make_constant();
    /// Host memory of a tile; only during a HostAccess.
    void* host(int parity, int tile) const { return host_[parity][tile]; }

private:
    friend class HostAccess;
    void pin();
    LatticeGraph& graph_;
    std::vector<Data> data_[2];
    std::vector<void*> host_[2];
    void* memory_ = nullptr;
    std::size_t memory_bytes_ = 0;
    bool pinned_ = false;
};

} // namespace qcd
