#include "runtime/machine_probe.hpp"

#include "lattice/error.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <hwloc.h>
#include <limits>
#include <memory>
#include <sstream>

namespace fs = std::filesystem;

namespace qcd
{

namespace
{

struct Release {
    void operator()(hwloc_topology* t) const { hwloc_topology_destroy(t); }
    void operator()(hwloc_bitmap_s* set) const { hwloc_bitmap_free(set); }
};
using Topology = std::unique_ptr<hwloc_topology, Release>;
using CpuSet = std::unique_ptr<hwloc_bitmap_s, Release>;

Topology load_topology()
{
    hwloc_topology_t raw = nullptr;
    if (hwloc_topology_init(&raw) != 0) throw DeviceError("hwloc cannot be initialised");
    Topology topology(raw);
    if (hwloc_topology_load(raw) != 0)
        throw DeviceError("hwloc cannot read the topology of this machine");
    return topology;
}

/// Leaves only the processing units that this process may run on.
void restrict_to_own(hwloc_topology_t topology)
{
    const CpuSet mine(hwloc_bitmap_alloc());
    if (hwloc_get_cpubind(topology, mine.get(), HWLOC_CPUBIND_PROCESS) == 0 &&
        !hwloc_bitmap_iszero(mine.get()))
        hwloc_topology_restrict(topology, mine.get(), 0);
}

int count(hwloc_topology_t topology, hwloc_obj_type_t type)
{
    return std::max(1, hwloc_get_nbobjs_by_type(topology, type));
}

std::string cpu_model(hwloc_topology_t topology)
{
    for (const hwloc_obj_type_t type : {HWLOC_OBJ_PACKAGE, HWLOC_OBJ_MACHINE}) {
        const hwloc_obj_t object = hwloc_get_obj_by_type(topology, type, 0);
        const char* name =
            object != nullptr ? hwloc_obj_get_info_by_name(object, "CPUModel") : nullptr;
        if (name != nullptr) return name;
    }
    return "unknown";
}

std::vector<CacheLevel> caches(hwloc_topology_t topology)
{
    std::vector<CacheLevel> levels;
    for (const hwloc_obj_type_t type : {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE,
                                        HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE}) {
        const hwloc_obj_t cache = hwloc_get_obj_by_type(topology, type, 0);
        if (cache == nullptr || cache->attr->cache.size == 0) continue;
        const int cores =
            hwloc_get_nbobjs_inside_cpuset_by_type(topology, cache->cpuset, HWLOC_OBJ_CORE);
        levels.push_back({int(cache->attr->cache.depth), long(cache->attr->cache.size),
                          count(topology, type), std::max(1, cores)});
    }
    return levels;
}

/// A line "NAME: N kB" of /proc/meminfo in bytes; 0 if it is not there.
long meminfo(const std::string& name)
{
    std::ifstream file("/proc/meminfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(name + ":")) {
            long kilobytes = 0;
            std::istringstream(line.substr(name.size() + 1)) >> kilobytes;
            return kilobytes * 1024;
        }
    return 0;
}

/// Below the mount; empty if there is none.
fs::path own_cgroup()
{
    std::ifstream file("/proc/self/cgroup");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("0::/")) return line.substr(4);
    return {};
}

long room_of(const fs::path& cgroup)
{
    long limit = 0, used = 0;
    std::ifstream(cgroup / "memory.max") >> limit; // "max": fails, leaves 0
    std::ifstream(cgroup / "memory.current") >> used;
    std::ifstream statistics(cgroup / "memory.stat");
    long bytes = 0;
    for (std::string name; statistics >> name >> bytes;)
        if (name == "inactive_file" || name == "active_file") used -= bytes;
    return limit > 0 ? std::max(0L, limit - used) : std::numeric_limits<long>::max();
}

} // namespace

long cgroup_room(const fs::path& mount, const fs::path& cgroup)
{
    fs::path folder = mount;
    long room = room_of(folder);
    for (const fs::path& child : cgroup) {
        folder /= child;
        room = std::min(room, room_of(folder));
    }
    return room;
}

MachineFacts probe_machine()
{
    const Topology topology = load_topology();
    hwloc_topology_t t = topology.get();
    restrict_to_own(t);
    MachineFacts facts;
    facts.cpu_model = cpu_model(t);
    facts.cores = count(t, HWLOC_OBJ_CORE);
    facts.threads = count(t, HWLOC_OBJ_PU);
    facts.numa_nodes = count(t, HWLOC_OBJ_NUMANODE);
    facts.caches = caches(t);
    facts.memory_bytes = meminfo("MemTotal");
    facts.available_bytes =
        std::min(meminfo("MemAvailable"), cgroup_room("/sys/fs/cgroup", own_cgroup()));
    return facts;
}

ProcessingUnits probe_processing_units()
{
    const Topology topology = load_topology();
    return {count(topology.get(), HWLOC_OBJ_CORE), count(topology.get(), HWLOC_OBJ_PU)};
}

long last_level_bytes(const MachineFacts& facts)
{
    if (facts.caches.empty()) return 32L << 20;
    return facts.caches.back().bytes * facts.caches.back().instances;
}

void require_memory(const std::string& what, std::size_t bytes, const MachineFacts& facts)
{
    const long there = facts.available_bytes;
    if (there > 0 && bytes > std::size_t(there))
        throw DeviceError(fmt::format("memory: {} needs {:.1f} GiB, {:.1f} GiB are free", what,
                                      double(bytes) / (1 << 30), double(there) / (1 << 30)));
}

double load_average()
{
    double load = 0;
    return getloadavg(&load, 1) == 1 ? load : 0;
}

} // namespace qcd
