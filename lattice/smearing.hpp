#pragma once
// Gauge-covariant Gaussian (Wuppertal) smearing in space, as Chroma normalises it
// (docs/propagator.md).

#include "lattice/spinor_source.hpp"

#include <array>
#include <span>
#include <vector>

namespace qcd
{

/// N times psi <- psi + sigma (H_s - 6) psi, sigma = W^2/(4N), with
///     H_s psi(x) = sum_{i = x,y,z} [U_i(x) psi(x+i) + U_i(x-i)^dagger psi(x-i)].
struct Smearing {
    double width = 0; ///< W, in lattice spacings
    int steps = 0;    ///< N; 0: nothing is done

    double sigma() const { return steps > 0 ? width * width / (4.0 * steps) : 0; }
    /// H_s - 6 is from -12 to 0: a step multiplies the shortest waves by 1 - 12 sigma.
    bool short_waves_grow() const { return sigma() > 1.0 / 6; }
    bool operator==(const Smearing&) const = default;
};

/// "W,N". Throws Error.
Smearing parse_smearing(std::string_view text, std::string_view what);

/// A colour vector on a time slice: 6 reals a site, x fastest. links: of the slice, 72 a site.
std::vector<double> smear(const Extents& lattice, std::span<const double> links, const Smearing&,
                          std::vector<double> psi);

/// A smeared point as the 12 sources of a propagator. Smearing leaves spins alone.
class SmearedPoint
{
public:
    /// links: of the point's time slice.
    SmearedPoint(const Extents& lattice, const Coord& point, const Smearing&,
                 std::span<const double> links);
    /// It shares what this has.
    std::unique_ptr<SpinorSource> source(int spin, int colour) const;

private:
    Extents lattice_;
    Coord point_;
    Smearing smearing_;
    std::array<std::shared_ptr<const std::vector<double>>, 3> fields_; ///< of each colour
};

} // namespace qcd
