#pragma once

#include "solver/report.hpp"
#include "tasks/scalar_steps.hpp"

#include <deque>
#include <vector>

namespace qcd
{

/// The delayed look at a solve: its residuals and its gate, in a ring of histories. A history has
/// those of the iterations submitted as one task (Plan::iterations: eight at first, then a quarter
/// of those before them); where a task is one operation, of one iteration. Each right-hand side has
/// its own; the solve ends by itself when all have.
class Monitor
{
public:
    explicit Monitor(LatticeGraph&);

    /// A run begins, of a solve of which this is known; `batch` is what its tasks are collected in.
    void watch(const SolveControl&, Graph::Batch& batch, std::vector<SolveReport> so_far);
    /// Nobody looks at the next iterations, so many.
    void look_away(int iterations);

    /// Where the next scalar operation notes what it finds; with |r|^2, or only the gate.
    Note note(bool residual = true);
    /// To be called before iteration k: submits a block that is complete. Is there to be one more?
    /// Not beyond the most or a pause, nor when a block some way back says converged or broken
    /// down, or stop was asked for.
    bool wants(int k);
    bool is_last(int k) const { return k + 1 == most_; }
    /// Has it seen that the solve ended by itself?
    bool closed() const { return open_ == 0; }

    /// Looks at all that is left; all but operator_applications, of each right-hand side.
    std::vector<SolveReport> reports();

private:
    std::size_t late() const { return std::size_t(graph_.late()); } // blocks not looked at
    int block_size() const; // iterations that the newest block is to have
    void ask_for_pause(int k);
    bool stop_is_wanted(int k);
    bool answer();
    void look(std::size_t keep);
    void look_at(const Scalars<solve_history>&);
    void look_at(const solve_history&, SolveReport&);
    void show_progress(std::size_t seen) const;

    LatticeGraph& graph_;
    std::deque<Scalars<solve_history>> ring_;
    const SolveControl* control_ = nullptr; // null: nobody looks
    Graph::Batch* batch_ = nullptr;
    int most_ = 0; // iterations, up to a pause
    std::size_t newest_ = 0;
    int place_ = 0;      // in it, of the next residual
    bool full_ = false;  // the next note begins a block
    int before_ = 0;     // iterations of the blocks before the newest one
    int iterations_ = 0; // that it has
    std::deque<std::size_t> unread_;
    int open_ = 0; // right-hand sides that have not been seen to end
    bool interrupted_ = false;
    bool asked_ = false; // other ranks, whether to stop
    bool told_ = false;  // that they are to, at a pause that came before the look at the answer
    std::vector<SolveReport> reports_;
};

} // namespace qcd
