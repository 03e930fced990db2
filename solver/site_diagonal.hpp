#pragma once
// The part of a Dirac matrix that does not leave a site, as a matrix in spin.

#include "tasks/wilson.hpp"

namespace qcd
{

/// T = 1 + i mubar gamma5, the diagonal of D = T - kappa H: a twisted mass. Hops multiply by it or
/// by its inverse at the sites that they write (Hop::a, Hop::b).
class SiteDiagonal
{
public:
    explicit SiteDiagonal(double mubar) : mubar_(mubar) {}

    chiral matrix() const { return {1, mubar_, 1, -mubar_}; }
    /// (1 - i mubar gamma5) / (1 + mubar^2)
    chiral inverse() const
    {
        const double n = 1 + mubar_ * mubar_;
        return {1 / n, -mubar_ / n, 1 / n, mubar_ / n};
    }
    SiteDiagonal adjoint() const { return SiteDiagonal(-mubar_); }

private:
    double mubar_;
};

} // namespace qcd
