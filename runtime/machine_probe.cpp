#include "runtime/machine_probe.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <hwloc.h>
#include <limits>
#include <memory>
#include <sched.h>
#include <sstream>
#include <sys/resource.h>
#include <utility>

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

int own_processing_units()
{
    cpu_set_t mine;
    return sched_getaffinity(0, sizeof mine, &mine) == 0 ? CPU_COUNT(&mine)
                                                         : std::numeric_limits<int>::max();
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
        if (name != nullptr) return std::string(trim(name)); // some fill 48 characters with blanks
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

/// A line "NAME: N kB" of a file in bytes; 0 if it is not there.
long kilobytes(const char* path, const std::string& name)
{
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(name + ":")) {
            long number = 0;
            std::istringstream(line.substr(name.size() + 1)) >> number;
            return number * 1024;
        }
    return 0;
}

constexpr long no_limit = std::numeric_limits<long>::max();

/// What a file holds; 0 if it is not there or holds no number ("max").
long number_in(const fs::path& file)
{
    long number = 0;
    std::ifstream(file) >> number;
    return number;
}

/// File cache that a group would give up. Version 1 has the group's own beside totals of the groups
/// below it, too.
long cache_of(const fs::path& cgroup)
{
    std::ifstream statistics(cgroup / "memory.stat");
    long cache = 0, total = 0, bytes = 0;
    for (std::string name; statistics >> name >> bytes;) {
        if (name == "inactive_file" || name == "active_file") cache += bytes;
        if (name == "total_inactive_file" || name == "total_active_file") total += bytes;
    }
    return std::max(cache, total);
}

long room_of(const fs::path& cgroup)
{
    long limit = no_limit;
    for (const char* const file : {"memory.max", "memory.high", "memory.limit_in_bytes"})
        if (const long bytes = number_in(cgroup / file); bytes > 0) limit = std::min(limit, bytes);
    if (limit == no_limit) return limit;
    const long used =
        std::max(number_in(cgroup / "memory.current"), number_in(cgroup / "memory.usage_in_bytes"));
    // Linux brings statistics up to date later than use: of a file just removed they still count the cache, and may
    // count more than all that is in use. What is subtracted from the limit is never negative, as a limit of version 1
    // that is none is the greatest number there is.
    return std::max(0L, limit - std::max(0L, used - cache_of(cgroup)));
}

/// Calls see(mount, group) for those of the process's groups, of either version, that control this.
template <class See>
void for_own_cgroups(const std::string& controller, const See& see)
{
    std::ifstream file("/proc/self/cgroup");
    for (std::string line; std::getline(file, line);) { // "4:memory,cpu:/job", "0::/job"
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (second == line.npos || line.size() < second + 2) continue;
        const std::string controllers = ',' + line.substr(first + 1, second - first - 1) + ',';
        const fs::path mount = "/sys/fs/cgroup", group = line.substr(second + 2);
        if (controllers == ",,")
            see(mount, group);
        else if (controllers.find(',' + controller + ',') != controllers.npos)
            see(mount / controller, group);
    }
}

long own_cgroup_room()
{
    long room = no_limit;
    for_own_cgroups("memory", [&](const fs::path& mount, const fs::path& group) {
        room = std::min(room, cgroup_room(mount, group));
    });
    return room;
}

/// 0: no limit.
double quota_of(const fs::path& cgroup)
{
    double quota = 0, period = 0;
    std::ifstream(cgroup / "cpu.max") >> quota >> period; // "max 100000": fails
    if (period <= 0) {
        quota = double(number_in(cgroup / "cpu.cfs_quota_us")); // -1: none
        period = double(number_in(cgroup / "cpu.cfs_period_us"));
    }
    return quota > 0 && period > 0 ? quota / period : 0;
}

double least_quota(double a, double b) { return a > 0 && b > 0 ? std::min(a, b) : std::max(a, b); }

double own_cgroup_quota()
{
    double quota = 0;
    for_own_cgroups("cpu", [&](const fs::path& mount, const fs::path& group) {
        quota = least_quota(quota, cgroup_quota(mount, group));
    });
    return quota;
}

/// The limits of a group and of those above it.
template <class Limit, class OfGroup, class Least>
Limit least_of_groups(const fs::path& mount, const fs::path& cgroup, const OfGroup& of_group,
                      const Least& least)
{
    fs::path folder = mount;
    Limit limit = of_group(folder);
    for (const fs::path& child : cgroup) {
        folder /= child;
        limit = least(limit, of_group(folder));
    }
    return limit;
}

/// used: the line of /proc/self/status that counts.
long room_of_limit(int resource, const std::string& used)
{
    rlimit limit{};
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return no_limit;
    const long bytes = long(std::min<rlim_t>(limit.rlim_cur, no_limit));
    return std::max(0L, bytes - kilobytes("/proc/self/status", used));
}

/// The least that StarPU's variables say of how much memory it may use, in MiB. What it allocates
/// itself must fit, or it waits for ever; 0: no limit.
long starpu_limit(const char* name, int parts)
{
    const char* const text = std::getenv(name);
    const long mebibytes = text ? std::atol(text) : 0;
    return mebibytes > 0 ? std::min(mebibytes, (no_limit >> 20) / 1024) * parts << 20 : no_limit;
}

/// The least room that limits of this process leave, if less than there is.
void limit_memory(MachineFacts& facts)
{
    constexpr long beside_fields = 32L << 20; // libraries, StarPU: what a small solve takes
    const auto take = [&](long room, const char* whose) {
        if (room >= facts.available_bytes) return;
        facts.available_bytes = std::max(1L, room); // 0: unknown
        facts.memory_limit = whose;
    };
    take(own_cgroup_room() - beside_fields, "cgroup");
    take(room_of_limit(RLIMIT_AS, "VmSize") - beside_fields, "ulimit -v");
    take(room_of_limit(RLIMIT_DATA, "VmData") - beside_fields, "ulimit -d");
    take(starpu_limit("STARPU_LIMIT_CPU_MEM", 1), "STARPU_LIMIT_CPU_MEM");
    take(starpu_limit("STARPU_LIMIT_CPU_NUMA_MEM", facts.numa_nodes), "STARPU_LIMIT_CPU_NUMA_MEM");
}

std::string size_text(double bytes)
{
    constexpr double mib = 1 << 20, gib = 1 << 30;
    return bytes < gib / 10 ? fmt::format("{:.1f} MiB", bytes / mib)
                            : fmt::format("{:.1f} GiB", bytes / gib);
}

} // namespace

long cgroup_room(const fs::path& mount, const fs::path& cgroup)
{
    return least_of_groups<long>(mount, cgroup, room_of,
                                 [](long a, long b) { return std::min(a, b); });
}

double cgroup_quota(const fs::path& mount, const fs::path& cgroup)
{
    return least_of_groups<double>(mount, cgroup, quota_of, least_quota);
}

std::string crowding(const std::string& what, int count, const char* places, int there,
                     const MachineFacts& facts)
{
    const bool by_quota = facts.cpu_quota > 0 && facts.cpu_quota < there;
    if (count <= there && !(by_quota && count > std::ceil(facts.cpu_quota))) return "";
    return fmt::format("{} {} on {} take turns: times mean little", count, what,
                       by_quota ? fmt::format("the time of {:.3g} cores (cgroup)", facts.cpu_quota)
                                : fmt::format("{} {}", there, places));
}

MachineFacts probe_machine()
{
    const Topology topology = load_topology();
    hwloc_topology_t t = topology.get();
    restrict_to_own(t);
    MachineFacts facts;
    facts.cpu_model = cpu_model(t);
    // hwloc may have been told of another machine (HWLOC_XMLFILE): there are no more than these.
    facts.threads = std::min(count(t, HWLOC_OBJ_PU), own_processing_units());
    facts.cores = std::min(count(t, HWLOC_OBJ_CORE), facts.threads);
    facts.numa_nodes = count(t, HWLOC_OBJ_NUMANODE);
    facts.caches = caches(t);
    facts.memory_bytes = kilobytes("/proc/meminfo", "MemTotal");
    facts.available_bytes = kilobytes("/proc/meminfo", "MemAvailable");
    limit_memory(facts);
    facts.cpu_quota = own_cgroup_quota();
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
        throw DeviceError("memory: {} needs {}, {} are free{}", what, size_text(double(bytes)),
                          size_text(double(there)),
                          facts.memory_limit.empty() ? ""
                                                     : fmt::format(" ({})", facts.memory_limit));
}

double load_average()
{
    double load = 0;
    return getloadavg(&load, 1) == 1 ? load : 0;
}

} // namespace qcd
