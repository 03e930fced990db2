#pragma once
// Session and solver behind the C functions, in the project's own terms: throws Error.

#include "api/memory_fields.hpp"
#include "drivers/plan/run_plan.hpp"
#include "drivers/spec/commands.hpp"
#include "runtime/session.hpp"
#include "solver/dirac_solve.hpp"

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace qcd
{

/// StarPU, started. Throws Error also while another one lives.
struct OpenSession {
    explicit OpenSession(RunSpec);

    RunSpec options;
    Session session;
};

/// A problem's links and vectors, by a plan that is made for the session's workers. It stays where it
/// is made: who stops it may be another thread.
class OpenSolver
{
public:
    enum class Sources { any, twelve /**< of a propagator */ };
    OpenSolver(std::shared_ptr<OpenSession>, const qcd_problem&, Sources = Sources::any);

    /// Solves for x, all right-hand sides; the status of each solve. Throws Error where there are
    /// not as many.
    std::vector<qcd_status> solve(std::span<const qcd_const_spinor> b,
                                  std::span<const qcd_spinor> x, bool x_are_guesses,
                                  std::span<qcd_report> reports);
    /// Ends such a solve, from another thread or a handler of signals.
    void stop() { stop_ = true; }
    bool was_stopped() const { return stop_; } ///< the last solve
    void apply(const qcd_const_spinor& x, const qcd_spinor& y);
    const std::string& plan() const { return plan_line_; }
    const std::string& command() const { return command_; }
    int rhs() const { return plan_.rhs; }

private:
    OpenSolver(std::shared_ptr<OpenSession>, const qcd_problem&, const RunSpec&);

    std::shared_ptr<OpenSession> session_; // first: it ends last
    RunSpec options_;
    RunPlan plan_;
    std::string plan_line_, command_;
    LatticeGraph graph_;
    DiracSolve solve_;
    std::atomic<bool> stop_{false};
};

} // namespace qcd
