#include "drivers/verification.hpp"

#include <algorithm>
#include <cmath>

namespace qcd
{

double rounding_gap(const RunReport& r)
{
    const ProblemReport& p = r.problem;
    const double u = p.precision == "single" ? 0x1p-24 : 0x1p-53;
    const double norm_of_D =
        1 + 8 * std::abs(p.kappa) + 6 * std::abs(p.kappa * p.csw) + std::abs(p.mubar);
    return 4 * u * r.iterations * norm_of_D * r.solution.x_over_b;
}

double explained_residual(const RunReport& r)
{
    const double even_sites =
        std::clamp(std::sqrt(1 + 64 * r.problem.kappa * r.problem.kappa), 2.0, 10.0);
    return even_sites * r.residual.iterated + r.residual.rounding;
}

void verify(RunReport& r)
{
    if (!r.rhs.empty()) {
        r.verification = Verification::passed;
        for (RunReport& one : r.rhs) {
            verify(one);
            r.verification = std::max(r.verification, one.verification);
        }
        r.residual.rounding = rounding_gap(r);
        return;
    }
    r.residual.rounding = rounding_gap(r);
    const bool to_tolerance = r.converged && !r.fixed_iterations;
    const double promised = to_tolerance ? r.residual.requested : explained_residual(r);
    if (!std::isfinite(r.residual.recomputed) || !(r.residual.recomputed <= promised))
        r.verification = Verification::failed;
    else if (r.residual.recomputed >= 1 || (!to_tolerance && r.residual.rounding >= 1))
        r.verification = Verification::nothing;
    else
        r.verification = Verification::passed;
}

} // namespace qcd
