#include "lattice/boundary_phases.hpp"

#include "base/text.hpp"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace qcd
{

namespace
{

void turn(const std::complex<double>& f, double psi[24])
{
    if (f == 1.0) return; // a negative 0 would lose its sign
    for (int i = 0; i < 24; i += 2) {
        const double re = psi[i], im = psi[i + 1];
        psi[i] = f.real() * re - f.imag() * im;
        psi[i + 1] = f.real() * im + f.imag() * re;
    }
}

} // namespace

std::string_view to_string(BoundaryPhases p)
{
    return p == BoundaryPhases::spread ? "spread" : "boundary";
}

std::optional<BoundaryPhases> boundary_phases_of(std::string_view name)
{
    for (const BoundaryPhases p : {BoundaryPhases::boundary, BoundaryPhases::spread})
        if (to_string(p) == name) return p;
    return std::nullopt;
}

std::string_view place_of(BoundaryPhases p)
{
    return p == BoundaryPhases::spread ? "spread over all links" : "at the boundary";
}

Theta boundary_angles(bool antiperiodic, const Theta& theta)
{
    Theta all = theta;
    if (antiperiodic) all[3] += 1;
    return all;
}

std::string to_string(const SaidPhases& s)
{
    const std::string where(to_string(s.where));
    return s.where == BoundaryPhases::boundary
               ? where
               : fmt::format("{}:{}", where, fmt::join(s.angles, ","));
}

std::optional<SaidPhases> said_phases_of(std::string_view text)
{
    const std::size_t colon = text.find(':');
    const auto where = boundary_phases_of(text.substr(0, colon));
    const bool has_angles = colon != text.npos;
    if (!where || has_angles != (*where == BoundaryPhases::spread)) return std::nullopt;
    SaidPhases said{*where};
    if (!has_angles) return said;
    const auto angles = parse_theta(text.substr(colon + 1));
    if (!angles) return std::nullopt;
    said.angles = *angles;
    return said;
}

SpreadPhases::SpreadPhases(const Extents& lattice, const Theta& angles) : lattice_(lattice)
{
    for (std::size_t mu = 0; mu < angles_.size(); ++mu) // 2 L more: whole turns at each site
        angles_[mu] = std::remainder(angles[mu], 2.0 * lattice[mu]);
}

std::complex<double> SpreadPhases::factor(const Coord& x) const
{
    double angle = 0;
    for (std::size_t mu = 0; mu < angles_.size(); ++mu) angle += angles_[mu] * x[mu] / lattice_[mu];
    return unit_phase(angle);
}

void SpreadPhases::to_boundary(const Coord& x, double psi[24]) const { turn(factor(x), psi); }

void SpreadPhases::to_spread(const Coord& x, double psi[24]) const
{
    turn(std::conj(factor(x)), psi);
}

} // namespace qcd
