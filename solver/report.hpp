#pragma once
// What a solve is told, and what it tells.

#include <algorithm>
#include <atomic>
#include <functional>
#include <optional>
#include <vector>

namespace qcd
{

class Checkpoints;

struct SolveControl {
    double tol = 1e-10; ///< on |r|/|b| of the system solved; 0: never converged before an exact 0
    int max_iterations = 10000;
    /// Called for each iteration when its residual |r|/|b| is known, in order.
    std::function<void(int iteration, double residual)> progress;
    const std::atomic<bool>* stop = nullptr; ///< set from outside: end with the x so far
    Checkpoints* checkpoints = nullptr;      ///< null: the solve does not pause
};

/// An update of a solve in two precisions: b - A x in double.
struct ReliableUpdate {
    int iteration;   ///< before which
    double residual; ///< |b - A x|/|b|
};

struct SolveReport {
    int iterations = 0;                       ///< updates of x
    long operator_applications = 0;           ///< of D or Dhat; A^dagger counts as one
    long preconditioner_applications = 0;     ///< of these, inside of a preconditioner
    double residual = 1;                      ///< iterated |r|/|b|
    std::vector<double> history;              ///< |r|/|b| after 0, 1, ... updates
    bool converged = false;                   ///< residual <= tol
    bool interrupted = false;                 ///< SolveControl::stop was set
    std::optional<int> cg_iterations{};       ///< of them, where CG went on for CR (DiracSolve)
    std::optional<int> bicgstab_iterations{}; ///< of them, where BiCGstab went on for multigrid
    std::vector<ReliableUpdate> updates{};
    std::optional<int> single_iterations{}; ///< of them, where single went on for 16 bits
    std::optional<int> double_iterations{}; ///< of them, where double went on for two precisions
    bool breakdown = false; ///< a divisor of the method was zero, negative or no number
    /// Within a solve: it waits for an r that is computed anew, or for other right-hand sides.
    bool pauses = false;
};

/// Has it not ended, and does it not pause?
inline bool is_open(const SolveReport& r) { return !r.converged && !r.breakdown && !r.pauses; }

/// Is it true of one of the right-hand sides?
inline bool any(const std::vector<bool>& those)
{
    return std::find(those.begin(), those.end(), true) != those.end();
}

/// Has it been told to stop, if only one right-hand side noticed?
inline bool is_interrupted(const std::vector<SolveReport>& all)
{
    return std::any_of(all.begin(), all.end(), [](const SolveReport& r) { return r.interrupted; });
}

} // namespace qcd
