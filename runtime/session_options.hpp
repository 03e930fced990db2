#pragma once

#include <optional>
#include <string>

namespace qcd
{

/// What is asked of StarPU; what is left open its environment variables decide, then our defaults.
struct SessionOptions {
    std::optional<int> cpus{}, cuda{}, opencl{}; ///< numbers of workers
    int cores_per_worker = 1;                    ///< of CPU workers
    std::string scheduler{};                     ///< StarPU's policy; empty: left open
    std::optional<long> gpu_memory{};            ///< bytes of each device that may be used
    bool cores_beside_gpus = false;              ///< cores work although there are GPUs
    bool verbose = false;                        ///< StarPU's own warnings are printed
};

} // namespace qcd
