#include "baseline/field.hpp"

namespace qcd::baseline
{

Grid::Grid(const Extents& lattice, int threads)
    : lattice_(lattice), volume_(volume(lattice)), threads_(threads)
{
    require_lattice(lattice, "lattice");
    neighbours_.resize(8 * volume_);
    for_sites(*this, all(), [&](long site) {
        const Coord x = coord(site);
        for (int mu = 0; mu < 4; ++mu)
            for (int back = 0; back < 2; ++back) {
                Coord y = x;
                const int step = back ? lattice_[mu] - 1 : 1;
                y[mu] = (x[mu] + step) % lattice_[mu];
                neighbours_[8 * site + 2 * mu + back] = int(number(y));
            }
    });
}

long Grid::number(const Coord& x) const
{
    const long lexical =
        ((long(x[3]) * lattice_[2] + x[2]) * lattice_[1] + x[1]) * lattice_[0] + x[0];
    const int odd = (x[0] + x[1] + x[2] + x[3]) % 2;
    return odd * (volume_ / 2) + lexical / 2;
}

Coord Grid::coord(long site) const
{
    const int odd = site >= volume_ / 2;
    long rest = 2 * (site - odd * (volume_ / 2));
    Coord x{};
    for (int mu = 0; mu < 4; ++mu) {
        x[mu] = int(rest % lattice_[mu]);
        rest /= lattice_[mu];
    }
    x[0] += (x[0] + x[1] + x[2] + x[3] + odd) % 2;
    return x;
}

} // namespace qcd::baseline
