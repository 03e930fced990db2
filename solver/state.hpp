#pragma once

#include "solver/method.hpp"
#include "solver/report.hpp"
#include "tasks/spinor_copy.hpp"

#include <string>
#include <utility>
#include <vector>

namespace qcd
{

/// All that a method knows between two iterations, on the host, bit for bit: whatever the tiles,
/// workers and plan it came from, a solve goes on from it to the same solution.
struct State {
    Method method = Method::cr;
    std::vector<std::pair<std::string, SpinorCopy>> vectors; ///< by the paper's symbol
    std::vector<double> scalars; ///< codelets/NAME_scalars/args.h, member by member
    SolveReport report;          ///< so far
};

} // namespace qcd
