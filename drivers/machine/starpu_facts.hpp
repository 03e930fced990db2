#pragma once
// What the StarPU that this program runs with can do, for `info`.

#include <string>
#include <utility>
#include <vector>

namespace qcd
{

struct StarpuFacts {
    std::string version;
    std::vector<std::pair<std::string, bool>> features; ///< of its build: CUDA, OpenCL, FxT, ...
    std::vector<std::pair<std::string, int>> limits;    ///< of its build
    std::vector<std::string> schedulers;                ///< names for --sched
    std::string scheduler;                              ///< without --sched
    std::vector<std::string> workers; ///< StarPU's without options; a solve chooses by its lattice
    std::string failure;              ///< why StarPU does not start; else empty

    bool has(const std::string& feature) const;
};

/// Starts StarPU with default options and stops it.
StarpuFacts probe_starpu();

} // namespace qcd
