#pragma once
// The true residual, |b - D x| / |b| on all sites, recomputed from x in double, beside the own one
// of a solve. They differ because the own one is relative to the right-hand side of the system that
// the method iterates on (of the even sites: b_e + kappa H_eo T_oo^-1 b_o, which may be larger than
// b), and because it is carried along and not recomputed.

#include <limits>
#include <optional>

namespace qcd
{

/// What of a solve tells how far the two may be apart.
struct SolveFacts {
    double kappa = 0, mubar = 0, csw = 0;
    double rounding_unit = 0; ///< 2^-53 or 2^-24
    int iterations = 0;
    double x_over_b = 0; ///< |x| / |b|
};

/// How far rounding alone may have driven the true residual from the own one: x and r are updated
/// apart, k times, each time with an error of some u |D| |x| between them (Greenbaum 1997). Four
/// are allowed:
///     4 k u |D| |x| / |b|,   |D| <= 1 + 8 kappa + 6 kappa |csw| + |mubar|,   u = 2^-24 or 2^-53.
/// The early iterations, whose x may be larger than the last, cause most of it, so it is not taken
/// to add up like random signs.
double rounding_gap(const SolveFacts&);

/// What the true residual may be for this own one. The right-hand side of the even sites, b_e +
/// kappa H T^-1 b_o, may be sqrt(1 + 64 kappa^2) times b: that factor, at least 2 and at most 10,
/// times the own residual, and the gap. More than this is a fault, which going on would hide.
double explained_residual(double own_residual, const SolveFacts&);

/// Lets a solve that has converged by its own residual go on until the true one is at most what was
/// asked for.
class TrueResidualGoal
{
public:
    explicit TrueResidualGoal(double tolerance) : goal_(tolerance) {}

    /// The tolerance on the own residual for the next part of the solve, after one that has
    /// converged to these. None: the goal is reached, or it cannot be: the true residual is not
    /// explained, or what is missing has fallen by less than a tenth.
    std::optional<double> next(double own_residual, double true_residual, const SolveFacts&);

private:
    double goal_;
    double missing_before_ = std::numeric_limits<double>::infinity();
};

} // namespace qcd
