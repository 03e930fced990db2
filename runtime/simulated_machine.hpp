#pragma once
// A machine that tasks are simulated on: what StarPU has to know of it, as files of the form in
// which it keeps what it measures.

#include "runtime/task_times.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace qcd
{

/// One way between two memories.
struct Bus {
    double bytes_per_s = 0; ///< 0: there is none
    double latency = 0;     ///< seconds
};

/// Devices of a kind, all alike.
struct SimulatedDevices {
    int count = 0;
    std::string model{};
    long memory_bytes = 0;   ///< of each
    Bus to{}, from{};        ///< between the host's memory and each of them
    Bus between{};           ///< any two of them; none: by the host's memory
    double task_seconds = 0; ///< SimulatedMachine::task_seconds, of their workers
};

struct SimulatedMachine {
    std::string name, about;
    int cores = 1;
    long cache_bytes = 0; ///< that a core can count on; 0: as on this machine
    SimulatedDevices cuda{}, opencl{};
    double submit_seconds = 0; ///< that the program takes to submit a task
    double task_seconds = 0;   ///< between two tasks of a CPU worker that has some to do
    std::vector<TaskTime> times{};
    int nodes = 1; ///< that are all like this, each with a rank
    Bus network{}; ///< a node's way to all the others
};

/// The name that StarPU's files begin with.
inline constexpr const char* simulated_host = "simulated";

/// Files beside it in the folder for several nodes: SimGrid's platform of all, and its list of
/// hosts.
inline constexpr const char *all_nodes = "nodes.xml", *node_hosts = "nodes";

/// StarPU's files of the machine's buses and SimGrid's of its processors, in a folder that
/// STARPU_PERF_MODEL_DIR is to name (STARPU_HOSTNAME: simulated_host). Throws Error.
void write_platform(const SimulatedMachine&, const std::filesystem::path& folder);

} // namespace qcd
