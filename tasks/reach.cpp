#include "tasks/reach.hpp"

#include "codelets/device/args.h"
#include "runtime/cpu_team.hpp"
#include "runtime/machine_model.hpp"

namespace qcd
{

int reach_of(const LatticeGraph& graph, std::size_t bytes_per_site)
{
    long sites = 0;
    for (const int tile : graph.owned_tiles())
        if (const int worker = graph.owner_of_tile(tile);
            worker < 0 || starpu_worker_get_type(worker) == STARPU_CPU_WORKER)
            sites += graph.tiling().padded_sites(tile);
    const std::size_t cache = cache_of_cpu_workers(graph.plan().cores_per_worker),
                      bytes = std::size_t(sites) * bytes_per_site;
    if (double(bytes) > MachineModel::of_this_machine().share_of_cache * double(cache))
        return QCD_REACH_MEMORY;
    return bytes > cache / 4 ? QCD_REACH_FAR : QCD_REACH_NEAR;
}

} // namespace qcd
