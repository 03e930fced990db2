#pragma once

#include "codelets/bicgstab_scalars/args.h"
#include "codelets/launch/scalar_codelets.hpp"

namespace qcd
{

// Operations on the scalars of BiCGstab (args.h), as device/scalar_step.h says; in one folder for
// the reason given in cr_scalars.hpp.

/// |r|^2, |b|^2, the threshold and rho = |r|^2: the shadow residual is r.
///   a: dot of r; b: dot of the right-hand side, absent where that is r
const ScalarCodelets& bicgstab_start_codelets();
/// Follows a closed gate: r has been computed anew and x added (solver/mixed_solver.hpp). Opens the
/// gate.
///   a: dot of the shadow residual and r; b: dot of r
const ScalarCodelets& bicgstab_resume_codelets();
/// alpha = rho/(shadow|v).
///   a: v = A p, with u = shadow; b: bicgstab_update, may be absent: |r|^2 is the one before
const ScalarCodelets& bicgstab_alpha_codelets();
/// omega = (t|s)/(t|t), rho = (shadow|s) - omega (shadow|t), which is (shadow|r) of the r to come,
/// and beta = (rho/rho_before)(alpha/omega). t = 0 means s = 0: alpha p was the whole step.
///   a: t = A s, with v = s and u = shadow; b: bicgstab_residual
const ScalarCodelets& bicgstab_omega_beta_codelets();

} // namespace qcd
