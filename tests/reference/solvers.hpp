#pragma once
// Textbook Krylov methods in double with x0 = 0, to check answers and iteration counts.
// All stop when the recursive residual |r| <= tol |b|; iterations = updates of x.

#include "tests/reference/fields.hpp"

#include <functional>

namespace qcd::reference
{

using Operator = std::function<Spinors(const Spinors&)>;

struct Solution {
    Spinors x;
    int iterations = 0;
    bool converged = false;
    std::vector<double> history; ///< |r|/|b|, from 1 before the first iteration
};

/// Which residual the conjugate gradient on A^dagger A x = A^dagger b watches; the iterates are the
/// same.
enum class Watch {
    normal,  ///< |A^dagger (b - A x)| / |A^dagger b|: called CGNE by the reference numbers
    original ///< |b - A x| / |b|: called CGNR
};
Solution cg_normal(const Operator& A, const Operator& A_dagger, const Spinors& b, double tol,
                   int max_iterations, Watch watch);

/// How the conjugate residual makes beta from rar = (r|A r) of two iterations.
enum class Beta {
    derived, ///< conj(rar_new) / rar_old: right whenever A - A^dagger is a multiple of 1
    printed  ///< rar_new / rar_old: right for Hermitian A only
};
Solution conjugate_residual(const Operator& A, const Spinors& b, double tol, int max_iterations,
                            Beta rule = Beta::derived);

/// Generalised conjugate residual, every direction kept: the least residual any Krylov method can
/// have.
Solution gcr(const Operator& A, const Spinors& b, double tol, int max_iterations);

} // namespace qcd::reference
