#pragma once

#include "codelets/device/solve_scalars.h"
#include "lattice/precision.hpp"

namespace qcd
{

enum class Method { cr, cg, bicgstab };

/// Does the method solve the system multiplied by gamma5 (so needs Operator with gamma5)?
constexpr bool uses_gamma5(Method m) { return m != Method::bicgstab; }
/// Most iterations of a task: the last block of scalars holds the residual after it, too.
inline constexpr int max_batch = most_residuals - 1;
/// Of |r|, where a solve in two precisions computes it anew (solver/mixed_solver.hpp).
constexpr double default_sloppy_drop(Precision lower)
{
    return lower == Precision::f16 ? 0.1 : 0.01;
}
/// Vectors that the method keeps besides r and x.
constexpr int work_vectors(Method m) { return m == Method::cr ? 3 : 4; }

} // namespace qcd
