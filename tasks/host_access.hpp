#pragma once
// How the host gets at data of the task graph, and its cores for itself.

#include "runtime/paused_workers.hpp"
#include "tasks/data.hpp"

#include <optional>

namespace qcd
{

/// During its life the host may use the memory of all tiles (mode R, W or RW): it is current and
/// exclusive, and the workers, which would poll for tasks on the host's cores, are paused. Waits
/// for earlier tasks; during its life nothing may be waited for. All ranks make one at a time.
class HostAccess
{
public:
    HostAccess(const TileData&, starpu_data_access_mode mode);
    ~HostAccess();
    HostAccess(const HostAccess&) = delete;
    HostAccess& operator=(const HostAccess&) = delete;

private:
    const TileData& tiles_;
    std::optional<PausedWorkers> paused_;
};

} // namespace qcd
