#pragma once
// Whole-lattice fields as plain arrays of double, for tests that need an answer nobody can doubt.
// Site number s = ((t*LZ+z)*LY+y)*LX+x; all conventions are those of docs/conventions.md.

#include "lattice/extents.hpp"

#include <array>
#include <complex>
#include <cstdint>
#include <vector>

namespace qcd
{
class GaugeSource;
class SpinorSource;
} // namespace qcd

namespace qcd::reference
{

using Complex = std::complex<double>;
using Spinors = std::vector<Complex>;   ///< [(s*4+spin)*3+colour]
using Links = std::vector<Complex>;     ///< [((s*4+mu)*3+row)*3+col]
using Rotations = std::vector<Complex>; ///< [(s*3+row)*3+col], one SU(3) matrix a site

long site_number(const Extents& lattice, const Coord& x);
Coord site_coord(const Extents& lattice, long s);

/// The site one step along mu from x: step = +1 or -1, wrapped around.
Coord neighbour(const Extents& lattice, Coord x, int mu, int step);

/// 0 for an even site (x+y+z+t even), 1 for an odd one.
int parity(const Coord& x);

Links load_links(GaugeSource& source);
Spinors load_spinors(const Extents& lattice, const SpinorSource& source);

Links unit_links(const Extents& lattice);

/// Uniform in [-0.5, 0.5), a function of (n, seed) alone: splitmix64.
std::uint64_t splitmix64(std::uint64_t n);
double uniform(std::uint64_t n, std::uint64_t seed);

/// psi[k] = u(2k) + i u(2k+1), k the array index.
Spinors det_spinor(const Extents& lattice, std::uint64_t seed);

/// 3x3 matrices w*1 + uniform noise, rows orthonormalised, determinant 1.
Links gen_gauge(const Extents& lattice, std::uint64_t seed, double w);

/// One SU(3) matrix a site.
Rotations random_rotations(const Extents& lattice, std::uint64_t seed);

/// U_mu(x) -> G(x) U_mu(x) G(x+mu)^dagger.
Links transform(const Extents& lattice, const Rotations& g, const Links& u);

/// psi(x) -> G(x) psi(x), every spin.
Spinors transform(const Rotations& g, const Spinors& psi);

/// Momentum of a wave number: p_mu = 2 pi n_mu / L_mu, and n_t + 1/2 with an antiperiodic boundary.
std::array<double, 4> momentum(const Extents& lattice, const std::array<int, 4>& n,
                               bool antiperiodic);

/// psi(x) = u e^{ipx} in one colour, x of the coordinates in [0, L).
Spinors plane_wave(const Extents& lattice, const std::array<double, 4>& p,
                   const std::array<Complex, 4>& u, int colour);

Complex inner(const Spinors& a, const Spinors& b); ///< sum of conj(a) b
double norm2(const Spinors& a);                    ///< (a|a)
/// sqrt(1/V sum |r|^2/|x|^2) over the V sites
double heavy_quark_residual(const Spinors& r, const Spinors& x);
Spinors combine(Complex alpha, const Spinors& a, Complex beta, const Spinors& b);

/// Largest |a - b| over all components.
double distance(const Spinors& a, const Spinors& b);

/// A copy with the sites of the other parity set to zero.
Spinors only_parity(const Extents& lattice, const Spinors& psi, int parity_kept);

} // namespace qcd::reference
