#include "lattice/box.hpp"

#include <fmt/format.h>

namespace qcd
{

Box time_slice(const Extents& lattice, int t)
{
    return {{0, 0, 0, t}, {lattice[0], lattice[1], lattice[2], 1}};
}

bool lies_in(const Extents& lattice, const Box& b)
{
    for (int mu = 0; mu < 4; ++mu)
        if (b.lower[mu] < 0 || b.extents[mu] < 1 || b.lower[mu] > lattice[mu] - b.extents[mu])
            return false;
    return true;
}

bool overlap(const Box& a, const Box& b)
{
    for (int mu = 0; mu < 4; ++mu)
        if (a.lower[mu] >= b.lower[mu] + b.extents[mu] ||
            b.lower[mu] >= a.lower[mu] + a.extents[mu])
            return false;
    return true;
}

long site_number(const Extents& lattice, const Box& b, long i)
{
    long number = 0, stride = 1;
    for (int mu = 0; mu < 4; ++mu) {
        number += (b.lower[mu] + i % b.extents[mu]) * stride;
        i /= b.extents[mu];
        stride *= lattice[mu];
    }
    return number;
}

Coord coordinates(const Extents& lattice, long site)
{
    Coord x;
    for (int mu = 0; mu < 4; ++mu) {
        x[mu] = int(site % lattice[mu]);
        site /= lattice[mu];
    }
    return x;
}

long run_length(const Extents& lattice, const Box& b)
{
    long length = b.extents[0];
    for (int mu = 1; mu < 4 && b.extents[mu - 1] == lattice[mu - 1]; ++mu) length *= b.extents[mu];
    return length;
}

std::string to_string(const Box& b)
{
    const auto& [x, y, z, t] = b.lower;
    return fmt::format("{} at {},{},{},{}", to_string(b.extents), x, y, z, t);
}

} // namespace qcd
