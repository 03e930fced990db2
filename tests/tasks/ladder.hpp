#pragma once
// What the tests of the ladder's versions have in common.

#include "tasks/ladder_dirac.hpp"
#include "tests/tasks/graph.hpp"

namespace qcd::test
{

/// The whole lattice.
inline ref::Spinors values(const LadderField& field)
{
    const Extents& l = field.lattice().extents();
    ref::Spinors psi(12 * volume(l));
    field.visit([&](const Coord& x, const double s[24]) {
        for (int k = 0; k < 12; ++k)
            psi[12 * ref::site_number(l, x) + k] = {s[2 * k], s[2 * k + 1]};
    });
    return psi;
}

/// Kinds of workers, one of each: those that a version has kernels for.
inline std::vector<Workers> ladder_workers(const LadderVersion& v)
{
    std::vector<Workers> w;
    if (has_workers("cpu")) w.push_back({.cpu = 1});
    if (!v.on_devices) return w;
    if (has_workers("opencl")) w.push_back({.opencl = 1});
    if (has_workers("cuda")) w.push_back({.cuda = 1});
    return w;
}

inline std::vector<int> multiples_of(const LadderVersion& v)
{
    return v.full_groups ? std::vector<int>(ladder_multiples.begin(), ladder_multiples.end())
                         : std::vector<int>{1};
}

/// |a - b| / |b|
inline double relative_distance(const ref::Spinors& a, const ref::Spinors& b)
{
    return std::sqrt(ref::norm2(ref::combine(1, a, -1, b)) / ref::norm2(b));
}

} // namespace qcd::test
