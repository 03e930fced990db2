#include "drivers/run/verification.hpp"

#include "lattice/precision.hpp"

#include <algorithm>
#include <cmath>

namespace qcd
{

SolveFacts facts_of(const RunReport& r)
{
    const ProblemReport& p = r.problem;
    return {p.kappa,      p.mubar,
            p.csw,        rounding_unit(p.precision == "single" ? Precision::f32 : Precision::f64),
            r.iterations, r.solution.x_over_b};
}

void verify(RunReport& r)
{
    if (!r.rhs.empty()) {
        r.verification = Verification::passed;
        for (RunReport& one : r.rhs) {
            verify(one);
            r.verification = std::max(r.verification, one.verification);
        }
        r.residual.rounding = rounding_gap(facts_of(r));
        return;
    }
    r.residual.rounding = rounding_gap(facts_of(r));
    const bool to_tolerance = r.converged && !r.fixed_iterations;
    const double promised =
        to_tolerance ? r.residual.requested : explained_residual(r.residual.iterated, facts_of(r));
    if (!std::isfinite(r.residual.recomputed) || !(r.residual.recomputed <= promised))
        r.verification = Verification::failed;
    else if (r.residual.recomputed >= 1 || (!to_tolerance && r.residual.rounding >= 1))
        r.verification = Verification::nothing;
    else
        r.verification = Verification::passed;
}

} // namespace qcd
