#pragma once
// Generated gauge fields: every link is a function of (site, direction, parameters) alone.
// Link number l = 4 s + mu. "Projected": the rows of a 3x3 matrix orthonormalised, determinant
// made 1.

#include "lattice/gauge_source.hpp"

namespace qcd
{

std::unique_ptr<GaugeSource> unit_gauge(const Extents& lattice);

/// Projected matrices of independent complex normal numbers: uniform on SU(3).
std::unique_ptr<GaugeSource> random_gauge(const Extents& lattice, std::uint64_t seed);

/// 1 + i eps H projected; H Hermitian, N(0,1) on the diagonal, (N + iN)/sqrt(2) off it.
std::unique_ptr<GaugeSource> weak_gauge(const Extents& lattice, double eps, std::uint64_t seed);

/// w 1 + noise, rows 0 and 1 orthonormalised, row 2 = conj(row 0 x row 1), all with the bits that
/// other codes give it; noise_ij = u(18 l + 2(3i+j)) + i u(18 l + 2(3i+j) + 1), u(n) = uniform(n,
/// seed).
std::unique_ptr<GaugeSource> gen_gauge(const Extents& lattice, std::uint64_t seed, double w);

} // namespace qcd
