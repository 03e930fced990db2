#pragma once

#include "codelets/gcr_scalars/args.h"
#include "codelets/launch/scalar_codelets.hpp"

namespace qcd
{

// Operations on the scalars of GCR (args.h), as device/scalar_step.h says; in one folder for the
// reason given in cr_scalars.hpp.

/// |r|^2, |b|^2 and the threshold; no directions.
///   a: dot of r; b: dot of the right-hand side, absent where that is r
const ScalarCodelets& gcr_start_codelets();
/// Follows a closed gate: r has been computed anew and x added (solver/mixed_solver.hpp). Opens the
/// gate; no directions.
///   a: absent; b: dot of r
const ScalarCodelets& gcr_resume_codelets();
/// Notes (q_l|A z) of the next two or four earlier directions, in their order.
///   a: gcr_products of two of them; b: of the two after these, may be absent
const ScalarCodelets& gcr_project_codelets();
/// beta_l = (q_l|A z)/|q_l|^2, and for q = A z - sum_l beta_l q_l the step alpha = (q|r)/|q|^2, by
/// (q|r) = (A z|r) and |q|^2 = |A z|^2 - sum_l |beta_l|^2 |q_l|^2: rounding of these changes how
/// long the step is, not that r = b - A x. There is a direction more.
///   a: A z, with u = r; b: absent
const ScalarCodelets& gcr_alpha_codelets();
/// |r|^2, and |q|^2 as it is.
///   a: absent; b: gcr_update
const ScalarCodelets& gcr_residual_codelets();
/// The cycle ends: xi with sum_k xi_k A z_k = sum_k alpha_k q_k, by A z_k = q_k + sum_l beta_lk
/// q_l, for gcr_solution. No directions after it. Reads no sums.
const ScalarCodelets& gcr_steps_codelets();
/// Like gcr_steps_codelets(), after the last iteration, behind a closed gate, too. The gate is then
/// closed if there was no direction, else open.
const ScalarCodelets& gcr_last_steps_codelets();

} // namespace qcd
