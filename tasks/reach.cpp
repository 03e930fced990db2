#include "tasks/reach.hpp"

#include "codelets/runtime/cpu_team.hpp"
#include "tasks/submit.hpp"

namespace qcd
{

/// Beyond the last-level cache a result is gone before it is read again. Half of it is an AMD's
/// limit, for hops: its cores prefetch for 16 streams at a time (docs/notes/ideas-cores.md).
int reach_of(const Tiling& tiling, std::size_t bytes_per_site)
{
    long sites = 0;
    for (int tile = 0; tile < tiling.tile_count(); ++tile)
        if (const int worker = worker_of(tile, tiling.tile_count());
            worker < 0 || starpu_worker_get_type(worker) == STARPU_CPU_WORKER)
            sites += tiling.padded_sites(tile);
    const std::size_t cache = cache_of_cpu_workers(), bytes = std::size_t(sites) * bytes_per_site;
    if (bytes > (__builtin_cpu_is("amd") ? cache / 2 : cache)) return QCD_REACH_MEMORY;
    return bytes > cache / 4 ? QCD_REACH_FAR : QCD_REACH_NEAR;
}

} // namespace qcd
