#pragma once

#include "solver/solver.hpp"
#include "tasks/updates.hpp"

#include <deque>

namespace qcd
{

/// The scalars of a solve, block after block, and the late look at them.
class ScalarChain
{
public:
    explicit ScalarChain(const SolveControl& control) : control_(&control), ring_(2 * late + 4) {}

    /// First block: |r|^2 = |b|^2 and the threshold, from sums of dot().
    void start(const LatticeSums& bb, bool rho_is_rr);
    /// Next block by the formula of `stage`. `residual_known`: it holds |r|^2 of the next iteration
    /// in turn.
    void step(int stage, const LatticeSums* a, const LatticeSums* b, bool residual_known);
    const Coefficients& now() const { return ring_[newest_]; }

    /// True when an iteration at least `late` back had converged or broken down, or stop was asked
    /// for.
    bool finished() { return look(late); }
    /// Looks at all that is left and fills the report but for operator_applications.
    SolveReport report();

private:
    static constexpr std::size_t late = 3; // iterations submitted ahead of the one looked at
    bool look(std::size_t keep);

    const SolveControl* control_;
    std::vector<Coefficients> ring_;
    std::size_t newest_ = 0;
    std::deque<std::size_t> unread_;
    double bb_ = 0;
    bool closed_ = false;
    SolveReport report_;
};

} // namespace qcd
