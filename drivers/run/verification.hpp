#pragma once
// Is the answer what the run says it is? (docs/output.md)

#include "drivers/run/run_report.hpp"
#include "lattice/true_residual.hpp"

namespace qcd
{

SolveFacts facts_of(const RunReport&);

/// Sets residual.rounding and verification; of several right-hand sides each, and the worst. A
/// converged solve promises the residual asked for: it goes on until the recomputed one is that
/// (TrueResidualGoal), and where it is not, rounding did not let it. What did not converge promises
/// explained_residual(). A promise that is kept is worth nothing where the residual is 1 or more,
/// which x = 0 has, or where the rounding alone is, as for a D that is singular.
void verify(RunReport&);

} // namespace qcd
