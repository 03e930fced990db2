#pragma once

#include "solver/report.hpp"
#include "tasks/field.hpp"

#include <vector>

namespace qcd
{

/// The x that a solve begins with.
enum class Guess { zero, x };

/// What is asked of one right-hand side.
struct Share {
    bool takes_part = true; ///< else its x stays as it is, and its report means nothing
    Guess guess = Guess::zero;
    int most = 0;   ///< iterations that it may make
    double tol = 0; ///< SolveControl::tol
};

/// x = 0 for those that take part and begin so; the others stay. Waits, unless it is for all.
void clear_those_from_zero(SpinorField& x, const std::vector<Share>&);

/// Solves A x = b for all right-hand sides of a graph, A being known to it. Each has the bits, the
/// counts and the residuals of a solve of its own.
class LinearSolver
{
public:
    virtual ~LinearSolver() = default;

    /// b is of no use afterwards. x: first guesses in, where they are to be used, solutions out.
    /// Both on the sites of A. Residuals are relative to |b|, from any guess: from one that solves
    /// it to the tolerance there are no iterations; for b = 0 only x = 0 does. One share for each
    /// right-hand side, in place of SolveControl::max_iterations and tol; one report for each.
    virtual std::vector<SolveReport> solve(SpinorField& b, SpinorField& x, const SolveControl&,
                                           const std::vector<Share>&) = 0;
};

} // namespace qcd
