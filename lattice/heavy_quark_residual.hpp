#pragma once

#include <cmath>

namespace qcd
{

/// sqrt(1/V sum_s |r(s)|^2 / |x(s)|^2) over the V sites s, r = b - D x: the "heavy-quark residual"
/// of the Fermilab action's codes, as MILC and QUDA (blas::HeavyQuarkResidualNorm) have it. Of a
/// heavy quark x falls by orders of magnitude from its source, and |r|/|b| sees only where it is
/// large; this one is small where x has digits on all sites. A site with x = 0 counts 1, as there.
/// In the order in which sites are added.
class HeavyQuarkResidual
{
public:
    void add(double norm2_r, double norm2_x)
    {
        sum_ += norm2_x == 0 ? 1 : norm2_r / norm2_x;
        ++sites_;
    }
    double value() const { return std::sqrt(sum_ / double(sites_)); }

private:
    double sum_ = 0;
    long sites_ = 0;
};

} // namespace qcd
