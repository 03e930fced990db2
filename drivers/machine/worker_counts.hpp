#pragma once
// How many workers of each kind a run has. No StarPU.

#include "tasks/tiling.hpp"

namespace qcd
{

struct WorkerCounts {
    int cpu = 0, cuda = 0, opencl = 0;
    int cores_per_cpu = 1; ///< cores that each CPU worker computes a task with
    int all() const { return cpu + devices(); }
    int devices() const { return cuda + opencl; }
    int cores() const { return cpu * cores_per_cpu; }
    Suits suits() const { return cpu == all() ? Suits::cores : Suits::devices; }
};

} // namespace qcd
