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

/// Sums over a time slice: Re tr of its plaquettes, of each plane and those that go up from it, and
/// of its links.
struct SliceSums {
    std::array<double, 6> planes{};
    double trace = 0;
};

/// Observables of the sums of all slices, by t.
GaugeObservables observables_of(const Extents& lattice, std::span<const SliceSums>);

/// Keeps two time slices of links (the first and the last seen), nothing else of the field.
/// The sums have a fixed order: the same bits for any number of threads.
class GaugeMeasurement
{
public:
    explicit GaugeMeasurement(const Extents& lattice);
    /// Measures these slices alone.
    GaugeMeasurement(const Extents& lattice, int first, int count);

    /// Slices t = 0 .. LT-1 in this order, each once; of some slices these, and the one after the
    /// last (0 after LT-1). links: 72 reals a site, s ascending, then mu = x,y,z,t, row, column,
    /// re, im. Throws Error on another t or size.
    void add_slice(int t, std::span<const double> links);

    int first() const { return begin_; }
    int count() const { return count_; }
    /// Is a slice missing that is not measured itself?
    bool wants_the_next() const { return count_ < lattice_[3] && next_ == count_; }
    /// Its links, once it has been there.
    std::span<const double> first_slice() const { return first_; }
    /// Links of the last slice that is measured, once all have been there.
    std::span<const double> last_slice() const { return count_ == 1 ? first_ : previous_; }
    /// The sums of each time slice t; 0 where a slice is not measured.
    const std::vector<SliceSums>& sums() const { return sums_; }

    /// Observables of all slices, after the last one. Throws Error before it.
    GaugeObservables result() const;

private:
    void add_links(SliceSums&, std::span<const double> links) const;
    void add_spatial_planes(SliceSums&, std::span<const double> links) const;
    void add_temporal_planes(SliceSums&, std::span<const double> lower,
                             std::span<const double> upper) const;

    Extents lattice_;
    int begin_, count_, next_ = 0;
    std::vector<double> first_, previous_;
    std::vector<SliceSums> sums_;
};

} // namespace qcd
