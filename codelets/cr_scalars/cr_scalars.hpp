#pragma once

#include "codelets/cr_scalars/args.h"
#include "codelets/launch/scalar_codelets.hpp"

namespace qcd
{

// Operations on the scalars of the Conjugate Residual method (args.h), as device/scalar_step.h
// says. They share a folder, as do those of every method: each is a formula of the same few
// scalars, and they are read together, as in the paper.

/// |r|^2, |b|^2 and the threshold; alpha = beta = rho = 0.
///   a: dot of r; b: dot of the right-hand side, absent where that is r
const ScalarCodelets& cr_start_codelets();
/// Follows a closed gate: r has been computed anew and x added (solver/mixed_solver.hpp). Opens the
/// gate; the next beta is 0 if it forgets.
///   a: absent; b: dot of r
const ScalarCodelets& cr_resume_codelets();
/// rho = (r|Ar), beta = conj(rho)/rho_before, |Ap|^2 and alpha = conj(rho)/|Ap|^2.
///   a: Ar = A r, with v = r and u = Ap; b: cr_update, may be absent: |r|^2 is the one before
const ScalarCodelets& cr_alpha_beta_codelets();
/// Follows the last iteration, behind a closed gate, too: cr_update with these adds what x lacks, and
/// p, Ap and r do not count any more. Reads no sums. The gate is then closed if x lacks nothing.
const ScalarCodelets& cr_last_steps_codelets();

} // namespace qcd
