#include "lattice/pion_correlator.hpp"

#include <cmath>

namespace qcd
{

PionCorrelator::PionCorrelator(const Extents& lattice, const Coord& origin)
    : lattice_(lattice), origin_(origin), t_(lattice[3]), z_(lattice[2])
{
}

void PionCorrelator::add(const Coord& x, const double spinor[24])
{
    double norm2 = 0;
    for (int i = 0; i < 24; ++i) norm2 += spinor[i] * spinor[i];
    const auto distance = [&](int mu) {
        return (x[mu] - origin_[mu] + lattice_[mu]) % lattice_[mu];
    };
    t_[distance(3)] += norm2;
    z_[distance(2)] += norm2;
}

std::vector<std::optional<double>> effective_masses(const std::vector<double>& c)
{
    std::vector<std::optional<double>> masses(c.size());
    for (std::size_t d = 1; d < c.size(); ++d) { // at 0 the source itself counts, too
        const double cosh = (c[d - 1] + c[(d + 1) % c.size()]) / (2 * c[d]);
        if (std::isfinite(cosh) && cosh >= 1) masses[d] = std::acosh(cosh);
    }
    return masses;
}

} // namespace qcd
