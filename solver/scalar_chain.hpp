#pragma once

#include "solver/solver.hpp"
#include "tasks/updates.hpp"

#include <deque>

namespace qcd
{

/// The scalars of a solve in a ring of blocks, and the delayed read-out of their residuals. A block
/// holds the scalars of the iterations submitted as one task (Plan::iterations: eight at first,
/// then a quarter of those before them); where a task is one operation, of one iteration.
class ScalarChain
{
public:
    ScalarChain(LatticeGraph&, const SolveControl&);

    /// |r|^2 = |b|^2 and the threshold, from sums of dot(). rounding: of coefficients_args.
    void start(const LatticeSums& bb, bool rho_is_rr, double rounding = 0);
    /// Next scalars by the formula of `stage`.
    void step(int stage, const LatticeSums* a, const LatticeSums* b);
    const Coefficients& now() const { return ring_[newest_]; }

    /// To be called before each iteration: submits a block that is complete. Is there to be one
    /// more? Not when a block some way back says converged or broken down, or stop was asked for.
    bool begin_iteration();
    /// Has begin_iteration() seen that the solve ended by itself?
    bool closed() const { return closed_; }
    /// Looks at all that is left and fills the report but for operator_applications.
    SolveReport report();
    /// Submits what came after that.
    void flush() { batch_.flush(); }

private:
    std::size_t late() const { return graph_.plan().collects() ? 1 : 3; } // blocks not looked at
    int block_size() const; // iterations that the newest block is to have
    void look(std::size_t keep);

    LatticeGraph& graph_;
    const SolveControl* control_;
    std::vector<Coefficients> ring_;
    Graph::Batch batch_;
    std::size_t newest_ = 0;
    bool full_ = false;  // the next step begins a block
    int before_ = 0;     // iterations of the blocks before the newest one
    int iterations_ = 0; // that it has
    std::deque<std::size_t> unread_;
    double bb_ = 0;
    bool closed_ = false;
    SolveReport report_;
};

} // namespace qcd
