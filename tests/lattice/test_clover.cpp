// The clover term as kernels are given it, against the plain one; and its inverse.

#include "lattice/clover.hpp"
#include "lattice/error.hpp"
#include "tests/reference/clover.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace qcd;
using namespace qcd::reference;

namespace
{

/// [s], of the whole lattice.
std::vector<SiteMatrix> made_by_slices(const Extents& l, const Links& u, double c)
{
    std::vector<SiteMatrix> all(volume(l));
    std::vector<int> times(l[3]);
    const long sites = volume(l) / l[3];
    CloverSlices slices(l, c, [&](int t, std::span<const double> matrices) {
        ++times.at(t);
        REQUIRE(long(matrices.size()) == sites * clover_reals);
        for (long s = 0; s < sites; ++s)
            all[t * sites + s] = from_stored(&matrices[s * clover_reals]);
    });
    for (int t = 0; t < l[3]; ++t) {
        std::vector<double> links(72 * sites);
        for (long k = 0; k < 36 * sites; ++k) {
            links[2 * k] = u[t * 36 * sites + k].real();
            links[2 * k + 1] = u[t * 36 * sites + k].imag();
        }
        slices.add_slice(t, links);
    }
    CHECK(times == std::vector<int>(l[3], 1));
    return all;
}

double largest_difference(const SiteMatrix& a, const SiteMatrix& b)
{
    double largest = 0;
    for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 12; ++j) largest = std::max(largest, std::abs(a[i][j] - b[i][j]));
    return largest;
}

SiteMatrix product_of(const SiteMatrix& a, const SiteMatrix& b)
{
    SiteMatrix c{};
    for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 12; ++j)
            for (int k = 0; k < 12; ++k) c[i][j] += a[i][k] * b[k][j];
    return c;
}

SiteMatrix multiple_of_one(double d)
{
    SiteMatrix m{};
    for (int i = 0; i < 12; ++i) m[i][i] = d;
    return m;
}

/// 72 reals that differ.
std::vector<double> any_matrix(double off_diagonal)
{
    std::vector<double> m(clover_reals);
    for (int i = 0; i < clover_reals; ++i) m[i] = off_diagonal * uniform(i, 3);
    for (const int first : {0, 9, 36, 45})
        for (int i = first; i < first + 3; ++i) m[i] += 1;
    return m;
}

} // namespace

TEST_CASE("clover: slices give what the formula says", "[lattice]")
{
    const Extents l = GENERATE(Extents{4, 6, 2, 8}, Extents{2, 4, 4, 2}, Extents{2, 2, 2, 4});
    const Wilson w{l, gen_gauge(l, 3, 0.4), 0.13, 0, true, 1.7};
    const auto made = made_by_slices(l, w.links, w.kappa * w.csw);
    for (long s = 0; s < volume(l); ++s)
        CHECK(largest_difference(made[s], site_matrix(w, s, 0)) < 2e-15);
}

TEST_CASE("clover: 1 of unit links, and of links with phases at the boundaries what it is without",
          "[lattice]")
{
    const Extents l{4, 2, 4, 4};
    for (const SiteMatrix& m : made_by_slices(l, unit_links(l), 0.3))
        CHECK(largest_difference(m, multiple_of_one(1)) == 0);
    Links u = gen_gauge(l, 3, 0.4);
    const auto without = made_by_slices(l, u, 0.3);
    for (long s = 0; s < volume(l); ++s)
        for (int mu = 0; mu < 4; ++mu)
            if (site_coord(l, s)[mu] == l[mu] - 1)
                for (int k = 0; k < 9; ++k) u[(s * 4 + mu) * 9 + k] *= std::polar(1.0, 0.3 + mu);
    const auto with = made_by_slices(l, u, 0.3);
    for (long s = 0; s < volume(l); ++s) CHECK(largest_difference(with[s], without[s]) < 1e-15);
}

TEST_CASE("clover: inverses, also of matrices that are not positive", "[lattice]")
{
    const double mubar = GENERATE(0.0, 0.05, -3.0);
    const double off_diagonal = GENERATE(0.2, 5.0);
    const auto stored = any_matrix(off_diagonal);
    double inverted[clover_reals];
    invert_clover(stored.data(), mubar, inverted);
    const SiteMatrix a = from_stored(stored.data()), b = from_stored(inverted);
    SiteMatrix m = a;
    if (mubar != 0) {
        m = product_of(a, a);
        for (int i = 0; i < 12; ++i) m[i][i] += mubar * mubar;
    }
    CHECK(largest_difference(product_of(m, b), multiple_of_one(1)) < 1e-12);
}

TEST_CASE("clover: what has no inverse gets no number", "[lattice]")
{
    const std::vector<double> zeros(clover_reals);
    double inverted[clover_reals];
    invert_clover(zeros.data(), 0, inverted);
    CHECK(!std::isfinite(inverted[0]));
    invert_clover(zeros.data(), 0.5, inverted);
    CHECK(largest_difference(from_stored(inverted), multiple_of_one(4)) == 0);
}

TEST_CASE("clover: a slice of another lattice is refused", "[lattice]")
{
    CloverSlices slices({2, 2, 2, 2}, 1, [](int, std::span<const double>) {});
    CHECK_THROWS_AS(slices.add_slice(0, std::vector<double>(72)), Error);
}
