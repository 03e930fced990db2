#include "tasks/host_access.hpp"

namespace qcd
{

HostAccess::HostAccess(const TileData& tiles, starpu_data_access_mode mode) : tiles_(tiles)
{
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
