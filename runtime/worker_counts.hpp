#pragma once
// How many workers of each kind a run has. No StarPU.

#include <string>

namespace qcd
{

struct WorkerCounts {
    int cpu = 0, cuda = 0, opencl = 0;
    int cores_per_cpu = 1; ///< cores that each CPU worker computes a task with
    int all() const { return cpu + devices(); }
    int devices() const { return cuda + opencl; }
    int cores() const { return cpu * cores_per_cpu; }
    bool only_cores() const { return devices() == 0; }
    bool operator==(const WorkerCounts&) const = default;
};

/// "4 CPU of 2 cores, 1 CUDA": the kinds that are there.
std::string to_string(const WorkerCounts&);

} // namespace qcd
