#pragma once

#include "solver/state.hpp"

#include <functional>
#include <vector>

namespace qcd
{

/// Where a solve pauses, and who takes its state there. What is decided belongs to a number of
/// iterations that is known before they are submitted, so it does not depend on how late residuals
/// are looked at; who answers for several processes gives all of them one answer.
class Checkpoints
{
public:
    virtual ~Checkpoints() = default;

    /// Asked before iterations begin, ..., end - 1 are submitted as a block, `begin` being done by
    /// then. After how many is the solve to pause: one of begin + 1, ..., end; 0: not in these.
    virtual int pause_in(int begin, int end) = 0;

    /// The solve stands still until this returns. It comes after each pause that was not the end of
    /// the solve, and where the iterations or a stop ended it without a solution; not before the
    /// first iteration, and once for each number of iterations, which `iterations` is. `states`
    /// reads out that of each right-hand side, once; it throws std::bad_alloc where there is no memory for it, and the solve
    /// can go on all the same.
    virtual void take(int iterations, const std::function<std::vector<State>()>& states) = 0;
};

} // namespace qcd
