#include "tasks/host_access.hpp"

#include "runtime/ranks.hpp"

namespace qcd
{

/// Workers that are paused pack no faces: other ranks must not wait for some.
HostAccess::HostAccess(const TileData& tiles, starpu_data_access_mode mode) : tiles_(tiles)
{
    if (tiles.graph_.ranks().several()) {
        tiles.graph_.wait();
        tiles.graph_.ranks().barrier();
    }
    for (const auto& parity : tiles_.data_)
        for (const Data& d : parity)
            if (d) tiles_.graph_.acquire(d, mode);
    paused_.emplace();
}

HostAccess::~HostAccess()
{
    for (const auto& parity : tiles_.data_)
        for (const Data& d : parity)
            if (d) tiles_.graph_.release(d);
}

} // namespace qcd
