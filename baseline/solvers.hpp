#pragma once
// The Krylov methods of the baseline: x0 = 0, one loop per vector operation, nothing fused.
// All stop when the recursive residual |r| <= tol |b|, b the right-hand side given, or what else
// residuals are to be relative to; iterations = updates of x.

#include "baseline/blas1.hpp"

#include <atomic>
#include <functional>
#include <vector>

namespace qcd::baseline
{

/// out <- A in
template <class Real>
using Operator = std::function<void(const Field<Real>& in, Field<Real>& out)>;

struct Stop {
    double tol;
    int max_iterations;
    int exact_iterations; ///< this many without looking at the residual; -1 = off
    const std::atomic<bool>* interrupt = nullptr; ///< set from outside: end with the x so far
    std::function<void(int, double)> progress = nullptr; ///< iteration and |r|/|b|, after each
    double norm2 = 0; ///< |.|^2 of what residuals are relative to; 0: that of b
};

struct Report {
    int iterations = 0;
    bool converged = false;
    bool interrupted = false;
    bool breakdown = false;               ///< the residual became no number
    std::vector<double> residual_history; ///< |r|/|b|, from 1 before the first iteration
};

/// A x = b by conjugate residual. A - A^dagger must be a multiple of 1: gamma5 D, or Q + i mubar.
template <class Real>
Report conjugate_residual(const Operator<Real>& A, const Field<Real>& b, Field<Real>& x,
                          const Stop& stop);

/// A x = b by conjugate gradient on A^dagger A x = A^dagger b. The residual is b - A x, not that of
/// the normal equations: then it means the same as in the other methods.
template <class Real>
Report conjugate_gradient(const Operator<Real>& A, const Operator<Real>& A_dagger,
                          const Field<Real>& b, Field<Real>& x, const Stop& stop);

/// A x = b by BiCGstab (van der Vorst 1992) with shadow residual b. Two applications of A an
/// iteration.
template <class Real>
Report bicgstab(const Operator<Real>& A, const Field<Real>& b, Field<Real>& x, const Stop& stop);

} // namespace qcd::baseline
