#include "tasks/host_access.hpp"

namespace qcd
{

HostAccess::HostAccess(const TileData& tiles, starpu_data_access_mode mode) : tiles_(tiles)
{
    for (const auto& parity : tiles_.data_)
        for (const Data& d : parity) acquire(d, mode);
    paused_.emplace();
}

HostAccess::~HostAccess()
{
    for (const auto& parity : tiles_.data_)
        for (const Data& d : parity) release(d);
}

} // namespace qcd
