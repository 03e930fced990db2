#pragma once

#include "solver/method.hpp"
#include "solver/report.hpp"
#include "tasks/spinor_copy.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace qcd
{

/// All that a method knows of a right-hand side between two iterations, on the host, bit for bit:
/// whatever the tiles, workers and plan it came from, a solve goes on from it to the same solution.
struct State {
    Method method = Method::cr;
    std::vector<std::pair<std::string, SpinorCopy>> vectors; ///< by the paper's symbol
    std::vector<double> scalars;    ///< codelets/NAME_scalars/args.h, member by member
    SolveReport report;             ///< so far; without a history it takes no part in this method
    long applications_at_start = 0; ///< of the operator, before the first iteration
    std::optional<SolveReport> before{}; ///< of CR, where CG goes on for it (DiracSolve)

    bool takes_part() const { return !report.history.empty(); }
    /// All that were done, of both methods.
    int iterations() const { return report.iterations + (before ? before->iterations : 0); }
};

} // namespace qcd
