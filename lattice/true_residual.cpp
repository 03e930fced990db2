#include "lattice/true_residual.hpp"

#include <algorithm>
#include <cmath>

namespace qcd
{

double rounding_gap(const SolveFacts& f)
{
    const double norm_of_D =
        1 + 8 * std::abs(f.kappa) + 6 * std::abs(f.kappa * f.csw) + std::abs(f.mubar);
    return 4 * f.rounding_unit * f.iterations * norm_of_D * f.x_over_b;
}

double explained_residual(double own_residual, const SolveFacts& f)
{
    const double even_sites = std::clamp(std::sqrt(1 + 64 * f.kappa * f.kappa), 2.0, 10.0);
    return even_sites * own_residual + rounding_gap(f);
}

std::optional<double> TrueResidualGoal::next(double own_residual, double true_residual,
                                             const SolveFacts& facts)
{
    const double missing = true_residual - goal_;
    if (!(missing > 0) || !(missing <= 0.9 * missing_before_)) return std::nullopt;
    if (!(true_residual <= explained_residual(own_residual, facts))) return std::nullopt;
    missing_before_ = missing;
    return goal_ * (own_residual / true_residual);
}

} // namespace qcd
