#include "tests/reference/fields.hpp"

#include "lattice/gauge_source.hpp"
#include "lattice/spinor_source.hpp"

#include <cmath>
#include <numbers>

namespace qcd::reference
{

long site_number(const Extents& lattice, const Coord& x)
{
    return ((long(x[3]) * lattice[2] + x[2]) * lattice[1] + x[1]) * lattice[0] + x[0];
}

Coord site_coord(const Extents& lattice, long s)
{
    Coord x{};
    for (int mu = 0; mu < 4; ++mu) {
        x[mu] = int(s % lattice[mu]);
        s /= lattice[mu];
    }
    return x;
}

Coord neighbour(const Extents& lattice, Coord x, int mu, int step)
{
    x[mu] = (x[mu] + step + lattice[mu]) % lattice[mu];
    return x;
}

int parity(const Coord& x) { return (x[0] + x[1] + x[2] + x[3]) % 2; }

Links load_links(GaugeSource& source)
{
    const Extents lattice = source.extents();
    const long slice_sites = long(lattice[0]) * lattice[1] * lattice[2];
    std::vector<double> slice(slice_sites * 72);
    Links u;
    for (int t = 0; t < lattice[3]; ++t) {
        source.read_slice(t, slice);
        for (std::size_t i = 0; i < slice.size(); i += 2) u.emplace_back(slice[i], slice[i + 1]);
    }
    return u;
}

Spinors load_spinors(const Extents& lattice, const SpinorSource& source)
{
    Spinors psi;
    for (long s = 0; s < volume(lattice); ++s) {
        double site[24];
        source.site(site_coord(lattice, s), site);
        for (int k = 0; k < 12; ++k) psi.emplace_back(site[2 * k], site[2 * k + 1]);
    }
    return psi;
}

Links unit_links(const Extents& lattice)
{
    Links u(volume(lattice) * 36);
    for (std::size_t link = 0; link < u.size(); link += 9)
        for (int i = 0; i < 3; ++i) u[link + 4 * i] = 1;
    return u;
}

std::uint64_t splitmix64(std::uint64_t n)
{
    std::uint64_t z = (n + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double uniform(std::uint64_t n, std::uint64_t seed)
{
    return double(splitmix64(n + (seed << 32)) >> 11) * 0x1p-53 - 0.5;
}

Spinors det_spinor(const Extents& lattice, std::uint64_t seed)
{
    Spinors psi(volume(lattice) * 12);
    for (std::size_t k = 0; k < psi.size(); ++k)
        psi[k] = {uniform(2 * k, seed), uniform(2 * k + 1, seed)};
    return psi;
}

namespace
{

void normalise(Complex* row)
{
    const double length = std::sqrt(std::norm(row[0]) + std::norm(row[1]) + std::norm(row[2]));
    for (int j = 0; j < 3; ++j) row[j] /= length;
}

/// Rows orthonormalised in order, the third from the first two so that the determinant is 1.
void make_special_unitary(Complex* m)
{
    Complex *a = m, *b = m + 3, *c = m + 6;
    normalise(a);
    Complex overlap = 0;
    for (int j = 0; j < 3; ++j) overlap += std::conj(a[j]) * b[j];
    for (int j = 0; j < 3; ++j) b[j] -= overlap * a[j];
    normalise(b);
    for (int j = 0; j < 3; ++j) {
        const int k = (j + 1) % 3, l = (j + 2) % 3;
        c[j] = std::conj(a[k] * b[l] - a[l] * b[k]);
    }
}

std::vector<Complex> generated_matrices(long count, std::uint64_t seed, double w)
{
    std::vector<Complex> m(count * 9);
    for (std::size_t k = 0; k < m.size(); ++k) {
        const double diagonal = k % 9 % 4 == 0 ? w : 0.0;
        m[k] = Complex(uniform(2 * k, seed) + diagonal, uniform(2 * k + 1, seed));
    }
    for (long i = 0; i < count; ++i) make_special_unitary(&m[9 * i]);
    return m;
}

} // namespace

Links gen_gauge(const Extents& lattice, std::uint64_t seed, double w)
{
    return generated_matrices(volume(lattice) * 4, seed, w);
}

Rotations random_rotations(const Extents& lattice, std::uint64_t seed)
{
    return generated_matrices(volume(lattice), seed, 0.0);
}

Links transform(const Extents& lattice, const Rotations& g, const Links& u)
{
    Links out(u.size());
    for (long s = 0; s < volume(lattice); ++s)
        for (int mu = 0; mu < 4; ++mu) {
            const Coord ahead = neighbour(lattice, site_coord(lattice, s), mu, +1);
            const Complex* here = &g[9 * s];
            const Complex* there = &g[9 * site_number(lattice, ahead)];
            const Complex* link = &u[(s * 4 + mu) * 9];
            for (int i = 0; i < 3; ++i)
                for (int l = 0; l < 3; ++l)
                    for (int j = 0; j < 3; ++j)
                        for (int k = 0; k < 3; ++k)
                            out[(s * 4 + mu) * 9 + 3 * i + l] +=
                                here[3 * i + j] * link[3 * j + k] * std::conj(there[3 * l + k]);
        }
    return out;
}

Spinors transform(const Rotations& g, const Spinors& psi)
{
    Spinors out(psi.size());
    for (std::size_t k = 0; k < psi.size(); ++k) {
        const std::size_t s = k / 12, row = k % 3;
        for (int j = 0; j < 3; ++j) out[k] += g[(s * 3 + row) * 3 + j] * psi[k - row + j];
    }
    return out;
}

std::array<double, 4> momentum(const Extents& lattice, const std::array<int, 4>& n,
                               bool antiperiodic)
{
    std::array<double, 4> p;
    for (int mu = 0; mu < 4; ++mu) {
        const double half = mu == 3 && antiperiodic ? 0.5 : 0.0;
        p[mu] = 2 * std::numbers::pi * (n[mu] + half) / lattice[mu];
    }
    return p;
}

Spinors plane_wave(const Extents& lattice, const std::array<double, 4>& p,
                   const std::array<Complex, 4>& u, int colour)
{
    Spinors psi(volume(lattice) * 12);
    for (long s = 0; s < volume(lattice); ++s) {
        const Coord x = site_coord(lattice, s);
        const double phase = p[0] * x[0] + p[1] * x[1] + p[2] * x[2] + p[3] * x[3];
        for (int spin = 0; spin < 4; ++spin)
            psi[(s * 4 + spin) * 3 + colour] = u[spin] * std::polar(1.0, phase);
    }
    return psi;
}

Complex inner(const Spinors& a, const Spinors& b)
{
    Complex sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += std::conj(a[k]) * b[k];
    return sum;
}

double norm2(const Spinors& a) { return inner(a, a).real(); }

double heavy_quark_residual(const Spinors& r, const Spinors& x)
{
    double sum = 0;
    for (std::size_t site = 0; site < x.size(); site += 12) {
        const auto square = [&](const Spinors& a) {
            return norm2(Spinors(a.begin() + long(site), a.begin() + long(site) + 12));
        };
        sum += square(r) / square(x);
    }
    return std::sqrt(12 * sum / double(x.size()));
}

Spinors combine(Complex alpha, const Spinors& a, Complex beta, const Spinors& b)
{
    Spinors out(a.size());
    for (std::size_t k = 0; k < a.size(); ++k) out[k] = alpha * a[k] + beta * b[k];
    return out;
}

double distance(const Spinors& a, const Spinors& b)
{
    double largest = 0;
    for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
    return largest;
}

Spinors only_parity(const Extents& lattice, const Spinors& psi, int parity_kept)
{
    Spinors out(psi.size());
    for (std::size_t k = 0; k < psi.size(); ++k)
        if (parity(site_coord(lattice, long(k / 12))) == parity_kept) out[k] = psi[k];
    return out;
}

} // namespace qcd::reference
