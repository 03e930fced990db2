#pragma once
// Krylov methods for A x = b as the papers write them. Nothing waits inside an iteration: vectors
// and scalars are data of a task graph, and convergence is looked at some iterations late. What was
// submitted after convergence does nothing (the gate of codelets/coefficients/layout.h), so x, the
// count and the digest do not depend on it.

#include "solver/method.hpp"
#include "solver/operator.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace qcd
{

struct SolveControl {
    double tol = 1e-10; ///< on |r|/|b| of the system solved; 0: never converged before an exact 0
    int max_iterations = 10000;
    /// Called for each iteration when its residual |r|/|b| is known, in order.
    std::function<void(int iteration, double residual)> progress;
    const std::atomic<bool>* stop = nullptr; ///< set from outside: end with the x so far
};

struct SolveReport {
    int iterations = 0;                 ///< updates of x
    long operator_applications = 0;     ///< of D or Dhat; A^dagger counts as one
    double residual = 1;                ///< iterated |r|/|b|
    std::vector<double> history;        ///< |r|/|b| after 0, 1, ... updates
    bool converged = false;             ///< residual <= tol
    bool interrupted = false;           ///< SolveControl::stop was set
    std::optional<int> cg_iterations{}; ///< of them, where CG went on for CR (DiracSolve)
    bool breakdown = false;             ///< a divisor of the method was zero, negative or no number
};

/// One method with its vectors, for one operator.
class Solver
{
public:
    virtual ~Solver() = default;
    /// Solves A x = b. r: b - A x in and out, as the method carries it along. x: start in (0 with
    /// r = b), solution out. Both on the operator's sites. All residuals are relative to the r
    /// given.
    virtual SolveReport solve(const SpinorField& r, SpinorField& x, const SolveControl&) = 0;
};

/// Conjugate Residual; A - A^dagger must be a multiple of 1: throws Error that says why if it is
/// not. With a tolerance it breaks down, too, where rounding takes the digits of a step
/// (codelets/coefficients/site.h).
std::unique_ptr<Solver> make_cr(const Operator&);
/// CG on the normal equations A^dagger A x = A^dagger b, stopped on |b - A x|; A with gamma5.
std::unique_ptr<Solver> make_cg(const Operator&);
/// BiCGstab with shadow residual b.
std::unique_ptr<Solver> make_bicgstab(const Operator&);

} // namespace qcd
