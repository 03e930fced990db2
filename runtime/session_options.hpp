#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>

namespace qcd
{

class Ranks;

/// How long a session that is asked to stop may stand still.
inline constexpr std::chrono::seconds stall_patience{10};

/// What is asked of StarPU; what is left open its environment variables decide, then our defaults.
struct SessionOptions {
    std::optional<int> cpus{}, cuda{}, opencl{}; ///< numbers of workers
    int cores_per_worker = 1;                    ///< of CPU workers
    std::string scheduler{};                     ///< StarPU's policy; empty: left open
    std::string scheduler_library{};             ///< file that has it; empty: StarPU, or as its
                                                 ///< environment says
    std::optional<long> gpu_memory{};            ///< bytes of each device that may be used
    bool cores_beside_gpus = false;              ///< cores work although there are GPUs
    /// Models of how long tasks take: measured further, or left as they are; none: as StarPU's
    /// environment says.
    std::optional<bool> calibrate{};
    bool verbose = false;                    ///< StarPU's own warnings are printed
    Ranks* ranks = nullptr;                  ///< that share the run, one session each; null: one
    const std::atomic<bool>* stop = nullptr; ///< set from outside: an end is wanted, and ...
    void (*end_stalled)() = nullptr;         ///< ... this is called if nothing moves any more
};

} // namespace qcd
