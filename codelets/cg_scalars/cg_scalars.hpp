#pragma once

#include "codelets/cg_scalars/args.h"
#include "codelets/launch/scalar_codelets.hpp"

namespace qcd
{

// Operations on the scalars of CG on the normal equations (args.h), as device/scalar_step.h says;
// in one folder for the reason given in cr_scalars.hpp.

/// |r|^2, |b|^2 and the threshold; alpha = beta = |z|^2 = 0.
///   a: dot of r; b: dot of the right-hand side, absent where that is r
const ScalarCodelets& cg_start_codelets();
/// Follows a closed gate: r has been computed anew and x added (solver/mixed_solver.hpp). Opens the
/// gate; the next beta is 0 if it forgets.
///   a: absent; b: dot of r
const ScalarCodelets& cg_resume_codelets();
/// alpha = |z|^2/|q|^2.
///   a: q = A p; b: absent
const ScalarCodelets& cg_alpha_codelets();
/// beta = |z|^2/|z_before|^2; 0 the first time.
///   a: z = A^dagger r; b: cg_residual, may be absent: |r|^2 is the one before
const ScalarCodelets& cg_beta_codelets();
/// Follows the last iteration, behind a closed gate, too: cg_update with these adds what x lacks, and
/// p does not count any more. Reads no sums. The gate is then closed if x lacks nothing.
const ScalarCodelets& cg_last_steps_codelets();

} // namespace qcd
