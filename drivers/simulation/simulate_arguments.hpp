#pragma once

#include "drivers/cli/options.hpp"

#include <string>
#include <vector>

namespace qcd
{

/// What to type for a simulation of these options, word by word, after the program's name: all that
/// cli::require_simulated() lets pass. options.iterations is given.
std::vector<std::string> simulate_arguments(const cli::SolveOptions&, const std::string& machine);

} // namespace qcd
