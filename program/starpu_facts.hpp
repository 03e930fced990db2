#pragma once
// What the StarPU that this program runs with can do, for `info`, and how it was built, for all.

#include <string>
#include <utility>
#include <vector>

namespace qcd
{

struct StarpuBuild {
    std::string version;
    std::vector<std::pair<std::string, bool>> features; ///< CUDA, OpenCL, FxT, ...
    std::vector<std::pair<std::string, int>> limits;

    bool has(const std::string& feature) const;
};

struct StarpuFacts : StarpuBuild {
    std::vector<std::string> schedulers; ///< names for --sched
    std::string scheduler;               ///< without --sched
    std::vector<std::string> workers; ///< StarPU's without options; a solve chooses by its lattice
    std::string failure;              ///< why StarPU does not start; else empty
};

/// Starts nothing.
StarpuBuild starpu_build();

/// Names for --sched, with those of a library of the user's, if there is one. Starts nothing. Throws
/// Error where it cannot be loaded.
std::vector<std::string> starpu_schedulers(const std::string& library);
/// Throws Error, which begins with `where`, for a scheduler that neither StarPU nor the library, if
/// there is one, has.
void require_scheduler(const std::string& where, const std::string& name,
                       const std::string& library);

/// Starts StarPU with default options and stops it.
StarpuFacts probe_starpu();

} // namespace qcd
