#include "runtime/cpu_team.hpp"

#include "runtime/codelet.hpp"
#include "runtime/device_failure.hpp"
#include "runtime/machine_model.hpp"

#include <hwloc.h>
#include <starpu.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <vector>

namespace qcd
{

namespace
{

/// The n-th core after the worker's own; null if there is none.
hwloc_obj_t core_after(int worker, int n)
{
    const hwloc_bitmap_t own = starpu_worker_get_hwloc_cpuset(worker); // a copy, ours to free
    hwloc_obj_t core = hwloc_get_next_obj_covering_cpuset_by_type(starpu_get_hwloc_topology(), own,
                                                                  HWLOC_OBJ_CORE, nullptr);
    hwloc_bitmap_free(own);
    for (; core && n > 0; --n) core = core->next_cousin;
    return core;
}

/// The calling thread stays on the n-th core after the worker's own.
void bind_to_core_after(int worker, int n)
{
    const hwloc_obj_t core = core_after(worker, n);
    if (!core) return;
    const hwloc_bitmap_t one = hwloc_bitmap_dup(core->cpuset);
    hwloc_bitmap_singlify(one);
    hwloc_set_cpubind(starpu_get_hwloc_topology(), one, HWLOC_CPUBIND_THREAD);
    hwloc_bitmap_free(one);
}

/// Enough blocks that summing up and taking a share do not count.
constexpr int blocks_a_share = 16;
constexpr int most_shares = 8; // of a core

/// The team on the calling worker's core and those after it; it ends with the worker's thread.
Team& team_of_this_worker(int cores)
{
    static thread_local std::unique_ptr<Team> team;
    if (team && team->size() == cores) return *team;
    team.reset();
    const int worker = starpu_worker_get_id();
    try {
        team = std::make_unique<Team>(cores,
                                      [worker](int member) { bind_to_core_after(worker, member); });
    } catch (const std::exception& e) {
        device_failed("cores of a worker", e.what()); // in a task
    }
    return *team;
}

struct SharedCall {
    const Codelet& codelet;
    const void* args;
    void* const* slots;
    int layers;
};

void run_share(const void* call, CpuShare share)
{
    const auto& c = *static_cast<const SharedCall*>(call);
    share.layers = c.layers;
    c.codelet.cpu(c.args, c.slots, share);
}

} // namespace

std::size_t level3_of_cpu_workers(int cores)
{
    std::vector<int> workers(starpu_cpu_worker_get_count());
    starpu_worker_get_ids_by_type(STARPU_CPU_WORKER, workers.data(), unsigned(workers.size()));
    const hwloc_bitmap_t used = hwloc_bitmap_alloc();
    for (const int worker : workers) {
        const hwloc_bitmap_t own = starpu_worker_get_hwloc_cpuset(worker);
        hwloc_bitmap_or(used, used, own);
        hwloc_bitmap_free(own);
        for (int n = 1; n < cores; ++n)
            if (const hwloc_obj_t core = core_after(worker, n))
                hwloc_bitmap_or(used, used, core->cpuset);
    }
    std::size_t bytes = 0;
    const hwloc_topology_t topology = starpu_get_hwloc_topology();
    for (hwloc_obj_t cache = nullptr;
         (cache = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_L3CACHE, cache)) != nullptr;)
        if (hwloc_bitmap_intersects(cache->cpuset, used)) bytes += cache->attr->cache.size;
    hwloc_bitmap_free(used);
    return bytes;
}

std::size_t cache_of_cpu_workers(int cores)
{
    constexpr std::size_t if_unknown = 32U << 20;
    const std::size_t level3 = level3_of_cpu_workers(cores);
    const std::size_t used = // without any nobody heeds the answer
        std::max(1u, starpu_cpu_worker_get_count() * cores);
    return std::min(level3 > 0 ? level3 : if_unknown,
                    MachineModel::of_this_machine().cache_a_core * used);
}

void zero_what_is_added_to(const Codelet& codelet, void* const* slots, int layers)
{
    for (std::size_t s = 0; s < codelet.slots.size(); ++s)
        if (slots[s] && codelet.slots[s].added_to > 0)
            std::memset(slots[s], 0, layers * codelet.slots[s].added_to);
}

void execute_on_cores(const Codelet& codelet, const void* args, void* const* slots,
                      const Manner& manner)
{
    if (manner.cores == 1)
        return codelet.cpu(args, slots, {.downwards = manner.downwards, .layers = manner.layers});
    const int blocks = codelet.operation.blocks(args);
    if (blocks < manner.cores) return codelet.cpu(args, slots, {.layers = manner.layers});
    zero_what_is_added_to(codelet, slots, manner.layers);
    const SharedCall call{codelet, args, slots, manner.layers};
    team_of_this_worker(manner.cores)
        .execute(run_share, &call,
                 std::clamp(blocks / (manner.cores * blocks_a_share), 1, most_shares),
                 manner.downwards);
}

} // namespace qcd
