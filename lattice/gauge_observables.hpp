#pragma once
// Plaquette and link trace of a gauge field that passes by one time slice at a time.

#include "lattice/extents.hpp"

#include <array>
#include <span>
#include <vector>

namespace qcd
{

/// Averages over the lattice.
/// plaquette in the plane (mu, nu): (1/3) Re tr U_mu(x) U_nu(x+mu) U_mu(x+nu)^dagger
/// U_nu(x)^dagger.
struct GaugeObservables {
    double plaquette_total = 0;     ///< all six planes
    double plaquette_spatial = 0;   ///< xy, xz, yz
    double plaquette_temporal = 0;  ///< xt, yt, zt
    std::array<double, 6> planes{}; ///< xy, xz, xt, yz, yt, zt
    double link_trace = 0;          ///< (1/3) Re tr U over sites and directions
};

/// Keeps two time slices of links (the first and the last seen), nothing else of the field.
/// The sums have a fixed order: the same bits for any number of threads.
class GaugeMeasurement
{
public:
    explicit GaugeMeasurement(const Extents& lattice);

    /// Slices t = 0 .. LT-1 in this order, each once. links: 72 reals a site, s ascending, then
    /// mu = x,y,z,t, row, column, re, im. Throws Error on another t or size.
    void add_slice(int t, std::span<const double> links);

    /// After the last slice. Throws Error before it.
    GaugeObservables result() const;

private:
    void add_links(std::span<const double> links);
    void add_spatial_planes(std::span<const double> links);
    void add_temporal_planes(std::span<const double> lower, std::span<const double> upper);

    Extents lattice_;
    int next_ = 0;
    std::vector<double> first_, previous_;
    std::array<double, 6> plane_sums_{};
    double trace_sum_ = 0;
};

} // namespace qcd
