#pragma once

#include <limits>
#include <optional>

namespace qcd
{

/// Lets a solve that has converged by its own residual go on until the true one, |b - D x| / |b| on
/// all sites recomputed from x in double, is at most what was asked for. They differ because the
/// own one is relative to the right-hand side of the system that the method iterates on (of the
/// even sites: b_e + kappa H_eo T_oo^-1 b_o, which may be larger than b), and because it is carried
/// along and not recomputed.
class TrueResidualGoal
{
public:
    explicit TrueResidualGoal(double tolerance) : goal_(tolerance) {}

    /// The tolerance on the own residual for the next part of the solve, after one that has
    /// converged to these. None: the goal is reached, or it cannot be: what is missing has fallen
    /// by less than a tenth.
    std::optional<double> next(double own_residual, double true_residual)
    {
        const double missing = true_residual - goal_;
        if (!(missing > 0) || !(missing <= 0.9 * missing_before_)) return std::nullopt;
        missing_before_ = missing;
        return goal_ * (own_residual / true_residual);
    }

private:
    double goal_;
    double missing_before_ = std::numeric_limits<double>::infinity();
};

} // namespace qcd
