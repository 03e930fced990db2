#pragma once
// Where the phases of the boundaries are. With angles theta_mu in units of pi, codes either put
// exp(i pi theta_mu) on the links that cross the boundary, or exp(i pi theta_mu / L_mu) on all
// links of direction mu. The operators are the same but for a factor at each site,
//
//   psi_boundary(x) = exp(+i pi sum_mu theta_mu x_mu / L_mu) psi_spread(x),      x_mu from 0 on,
//
// which sources and solutions have alike (docs/conventions.md).

#include "lattice/twist.hpp"

#include <complex>
#include <optional>
#include <string>
#include <string_view>

namespace qcd
{

enum class BoundaryPhases {
    boundary, ///< this program's, Chroma's and QUDA's
    spread    ///< over all links: tmLQCD's, CL2QCD's and nissa's
};

/// "boundary", "spread"
std::string_view to_string(BoundaryPhases);
std::optional<BoundaryPhases> boundary_phases_of(std::string_view name);
/// Words for a sentence: "at the boundary", "spread over all links".
std::string_view place_of(BoundaryPhases);

/// The angles of a problem's boundaries: theta, and 1 more in t where that is antiperiodic.
Theta boundary_angles(bool antiperiodic, const Theta& theta);

/// What a file says of its spinors: "boundary", or "spread:X,Y,Z,T" with the angles.
struct SaidPhases {
    BoundaryPhases where = BoundaryPhases::boundary;
    Theta angles{}; ///< where they are spread
    bool operator==(const SaidPhases&) const = default;
};
std::string to_string(const SaidPhases&);
/// None: it is neither.
std::optional<SaidPhases> said_phases_of(std::string_view text);

/// The factor at each site.
class SpreadPhases
{
public:
    SpreadPhases(const Extents& lattice, const Theta& angles);

    /// From psi_spread to psi_boundary at x, and back: 24 numbers. Where the factor is 1, every bit
    /// is kept.
    void to_boundary(const Coord& x, double psi[24]) const;
    void to_spread(const Coord& x, double psi[24]) const;

private:
    std::complex<double> factor(const Coord& x) const;

    Extents lattice_;
    Theta angles_{};
};

} // namespace qcd
