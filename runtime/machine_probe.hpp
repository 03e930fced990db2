#pragma once
// What this machine is: cores, caches, memory, load. hwloc says it; StarPU is not used.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace qcd
{

struct CacheLevel {
    int level = 0;     ///< 1, 2, 3, ...; data or unified
    long bytes = 0;    ///< of one
    int instances = 0; ///< how many
    int cores = 0;     ///< that share one
};

/// Counts what this process may use (its CPU affinity and cgroup), not what the machine has.
struct MachineFacts {
    std::string cpu_model; ///< "unknown" if the machine does not say
    int cores = 1, threads = 1;
    int numa_nodes = 1;
    double cpu_quota = 0;           ///< cores' worth of time that its cgroup may have; 0: no limit
    std::vector<CacheLevel> caches; ///< smallest first; may be empty in a virtual machine
    long memory_bytes = 0, available_bytes = 0; ///< in all; that fields may have, 0 if unknown
    /// What leaves less than the machine has free: "cgroup", "ulimit -v", "ulimit -d",
    /// or a variable of StarPU's.
    std::string memory_limit;
};

MachineFacts probe_machine();

/// Processing units of the machine, wherever this process may run.
struct ProcessingUnits {
    int cores = 1, threads = 1;
};
ProcessingUnits probe_processing_units();

/// Bytes that the limits of a group (cgroup version 1 or 2), a path below the mount, and of all
/// above it leave, the file cache that they would give up included; the largest long without a
/// limit.
long cgroup_room(const std::filesystem::path& mount, const std::filesystem::path& cgroup);

/// Cores' worth of CPU time that the limits of a group and of all above it leave, as above; 0: no
/// limit.
double cgroup_quota(const std::filesystem::path& mount, const std::filesystem::path& cgroup);

/// "8 CPU workers on 2 cores take turns: ..." where so many threads that compute at a time cannot
/// have a processor each; else empty. `places`: cores, or hardware threads.
std::string crowding(const std::string& what, int count, const char* places, int there,
                     const MachineFacts&);

/// All bytes of the largest level; 32 MiB if no cache is known.
long last_level_bytes(const MachineFacts&);

/// Data of so many times the bytes of a cache are read from memory: the cache holds no useful part.
inline constexpr long beyond_caches = 4;

/// Throws Error when `what` needs more bytes than are free.
void require_memory(const std::string& what, std::size_t bytes, const MachineFacts&);

/// The load average of one minute; 0 if unknown. On a busy machine times mean little: goes with
/// every figure.
double load_average();

} // namespace qcd
