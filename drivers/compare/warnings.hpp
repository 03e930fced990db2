#pragma once
// What makes a comparison say less than it seems to, and what to change.

#include "drivers/compare/looks.hpp"
#include "runtime/machine_probe.hpp"

#include <optional>
#include <string>
#include <vector>

namespace qcd
{

struct WarningsFor {
    std::vector<std::string> names{};              ///< of the cases
    std::vector<std::optional<CaseFacts>> cases{}; ///< none: not known
    std::optional<double> load_before;             ///< Looks
    MachineFacts machine;
    int opencl_gpus = 0; ///< the other OpenCL devices are the cores (PoCL) ...
    int pocl_cores = 0;  ///< ... of which each takes so many; 0: all
};

WarningsFor warnings_for(const experiment::Design&, const Looks&);

/// A line each, which names the cases.
std::vector<std::string> warnings_of(const WarningsFor&);

} // namespace qcd
