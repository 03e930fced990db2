#pragma once
// The pion's correlator of a propagator (docs/propagator.md).

#include "lattice/extents.hpp"

#include <optional>
#include <vector>

namespace qcd
{

/// C(d) = sum of |S|^2 over the sites at distance d from the source, both spins and both colours:
/// no normalisation. Along t, and along z; distances 0 to L - 1, around the lattice.
class PionCorrelator
{
public:
    /// origin: of the distances.
    PionCorrelator(const Extents& lattice, const Coord& origin);
    /// S at a site for one spin and colour of the source. In the order of sites sums are the same
    /// bits whatever the tiles.
    void add(const Coord& x, const double spinor[24]);

    const std::vector<double>& along(int mu) const { return mu == 3 ? t_ : z_; } ///< 3: t, 2: z

private:
    Extents lattice_;
    Coord origin_;
    std::vector<double> t_, z_;
};

/// m with cosh m = (C(d-1) + C(d+1)) / (2 C(d)), in units of 1/a: of one state that goes around
/// both ways, its mass. Neighbours around the lattice; none where that is no cosh.
std::vector<std::optional<double>> effective_masses(const std::vector<double>& correlator);

} // namespace qcd
