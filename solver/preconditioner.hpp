#pragma once

#include "solver/solver.hpp"
#include "tasks/updates.hpp"

namespace qcd
{

/// x ~ A^-1 b by a fixed number of iterations of a method: what another method applies to its
/// residual. Other b get other polynomials in A, so that one has to be flexible: it may not suppose
/// that this is linear.
class Preconditioner
{
public:
    Preconditioner(const Operator& A, Method method, int iterations)
        : solver_(make_solver(method, A)), r_(A.vector()), iterations_(iterations)
    {
    }
    /// Submitted; nothing waits. x must not be b.
    void operator()(const SpinorField& b, SpinorField& x)
    {
        scale(spin::real(1), b, r_);
        solver_->apply(r_, x, iterations_);
    }

private:
    std::unique_ptr<Solver> solver_;
    SpinorField r_;
    int iterations_;
};

} // namespace qcd
