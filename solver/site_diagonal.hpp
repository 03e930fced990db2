#pragma once
// The part of a Dirac matrix that does not leave a site.

#include "tasks/wilson.hpp"

#include <optional>

namespace qcd
{

/// T = 1 + i mubar gamma5, the diagonal of D = T - kappa H: a twisted mass; with the clover term of
/// the Wilson that hops, T = 1 + clover + i mubar gamma5. Hops multiply by it or by its inverse at
/// the sites that they write.
class SiteDiagonal
{
public:
    explicit SiteDiagonal(double mubar, bool clover = false) : mubar_(mubar), clover_(clover) {}

    // Where T is diagonal in spin: without a clover term.
    chiral matrix() const { return {1, mubar_, 1, -mubar_}; }
    std::optional<chiral> inverse() const
    {
        if (clover_) return std::nullopt;
        const double n = 1 + mubar_ * mubar_; // (1 - i mubar gamma5) / (1 + mubar^2)
        return chiral{1 / n, -mubar_ / n, 1 / n, mubar_ / n};
    }

    /// The hop with T v in place of v.
    Hop times_v(Hop hop) const
    {
        if (clover_) return with(Clover::multiplies_v, hop);
        hop.a = spin::operator*(hop.a, matrix());
        return hop;
    }
    /// T^-1 times what the hop gives, but u; on odd sites.
    Hop divided(Hop hop) const
    {
        if (clover_) return with(Clover::divides, hop);
        hop.a = spin::operator*(hop.a, *inverse());
        hop.b = spin::operator*(hop.b, *inverse());
        return hop;
    }
    SiteDiagonal adjoint() const { return SiteDiagonal(-mubar_, clover_); }

private:
    Hop with(Clover clover, Hop hop) const
    {
        hop.clover = clover;
        hop.twist = mubar_;
        return hop;
    }

    double mubar_;
    bool clover_;
};

} // namespace qcd
