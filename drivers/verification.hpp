#pragma once
// Is the answer what the run says it is? (docs/output.md)

#include "drivers/run_report.hpp"

namespace qcd
{

/// How far rounding alone may have driven |b - D x|/|b| from the residual that the method carries
/// along: x and r are updated apart, k times, each time with an error of some u |D| |x| between
/// them (Greenbaum 1997). Four are allowed:
///     4 k u |D| |x| / |b|,   |D| <= 1 + 8 kappa + 6 kappa |csw| + |mubar|,   u = 2^-24 or 2^-53.
/// The early iterations, whose x may be larger than the last, cause most of it, so it is not taken
/// to add up like random signs.
double rounding_gap(const RunReport&);

/// What |b - D x|/|b| may be for the residual that was iterated, which is of the even sites: their
/// source b_e + kappa H T^-1 b_o may be sqrt(1 + 64 kappa^2) times b. So many times that residual,
/// from 2 to 10, and residual.rounding.
double explained_residual(const RunReport&);

/// Sets residual.rounding and verification; of several right-hand sides each, and the worst. A
/// converged solve promises the residual asked for: it goes on until the recomputed one is that
/// (TrueResidualGoal), and where it is not, rounding did not let it. What did not converge promises
/// explained_residual(). A promise that is kept is worth nothing where the residual is 1 or more,
/// which x = 0 has, or where the rounding alone is, as for a D that is singular.
void verify(RunReport&);

} // namespace qcd
