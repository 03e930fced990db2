#pragma once

#include "codelets/device/solve_scalars.h"
#include "codelets/gcr_scalars/args.h"
#include "lattice/precision.hpp"

namespace qcd
{

enum class Method { cr, cg, bicgstab, gcr };

/// Does the method solve the system multiplied by gamma5 (so needs Operator with gamma5)?
constexpr bool uses_gamma5(Method m) { return m == Method::cr || m == Method::cg; }
/// Most iterations of a task: the last block of scalars holds the residual after it, too.
inline constexpr int max_batch = most_residuals - 1;
/// The factor by which |r| falls, where a solve in two precisions computes it anew
/// (solver/mixed_solver.hpp).
constexpr double default_sloppy_drop(Precision lower)
{
    return lower == Precision::f16 ? 0.1 : 0.01;
}
/// Directions of gcr, after which it begins anew.
inline constexpr int default_restart = 8, most_restart = QCD_MOST_DIRECTIONS;

/// What a method needs, in its own file beside its text.
struct MethodNeeds {
    int vectors;  ///< besides r and x
    int of_state; ///< vectors of its state, r and x among them
    /// What an iteration has: applications of the operator, passes over the vectors, steps of its
    /// scalars, and sums over the lattice.
    int applications, updates, scalars, sums;
};
MethodNeeds cr_needs();
MethodNeeds cg_needs();
MethodNeeds bicgstab_needs();
/// What gcr needs in the middle of a cycle, without what a preconditioner does.
MethodNeeds gcr_needs(int restart);
/// restart: of gcr.
MethodNeeds needs_of(Method, int restart);

} // namespace qcd
