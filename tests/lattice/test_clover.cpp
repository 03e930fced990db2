// The clover term as kernels are given it, against the plain one; and its inverse.

#include "base/error.hpp"
#include "lattice/clover.hpp"
#include "tests/reference/clover.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace qcd;
using namespace qcd::reference;

namespace
{

/// Time slice t.
std::vector<double> slice_of(const Extents& l, const Links& u, int t)
{
    const long links = 4 * volume(l) / l[3];
    std::vector<double> slice(18 * links);
    for (long k = 0; k < 9 * links; ++k) {
        slice[2 * k] = u[t * 9 * links + k].real();
        slice[2 * k + 1] = u[t * 9 * links + k].imag();
    }
    return slice;
}

/// [s], of the box's sites.
std::vector<SiteMatrix> made_by_slices(const Extents& l, const Links& u, double c, const Box& box)
{
    std::vector<SiteMatrix> all(volume(l));
    std::vector<int> times(l[3]);
    const long sites = volume(box) / box.extents[3];
    CloverSlices slices(l, box, c, [&](int t, std::span<const double> matrices) {
        ++times.at(t);
        REQUIRE(long(matrices.size()) == sites * clover_reals);
        const long first = (t - box.lower[3]) * sites;
        for (long i = 0; i < sites; ++i)
            all.at(site_number(l, box, first + i)) = from_stored(&matrices[i * clover_reals]);
    });
    std::vector<int> expected(l[3]);
    for (int t = box.lower[3]; t < box.lower[3] + box.extents[3]; ++t) {
        slices.add_slice(t, slice_of(l, u, t));
        expected[t] = 1;
    }
    if (slices.needs_outside())
        for (const int t : {slices.above(), slices.below()}) slices.add_slice(t, slice_of(l, u, t));
    CHECK(times == expected);
    return all;
}

std::vector<SiteMatrix> made_by_slices(const Extents& l, const Links& u, double c)
{
    return made_by_slices(l, u, c, {{}, l});
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

TEST_CASE("clover: a box has the bits of the whole lattice, with the slices around it", "[lattice]")
{
    const Extents l{2, 4, 6, 6};
    const Links u = gen_gauge(l, 3, 0.4);
    const auto whole = made_by_slices(l, u, 0.3);
    const Box box = GENERATE(Box{{0, 0, 0, 2}, {2, 4, 6, 2}}, Box{{0, 2, 4, 4}, {2, 2, 2, 2}},
                             Box{{0, 0, 2, 0}, {2, 2, 4, 6}}, Box{{0, 0, 0, 5}, {2, 4, 2, 1}},
                             Box{{0, 1, 0, 0}, {2, 1, 6, 5}});
    INFO(to_string(box));
    const auto part = made_by_slices(l, u, 0.3, box);
    for (long i = 0; i < volume(box); ++i) {
        const long s = site_number(l, box, i);
        CHECK(part[s] == whole[s]);
    }
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
    CloverSlices slices({2, 2, 2, 2}, {{}, {2, 2, 2, 2}}, 1, [](int, std::span<const double>) {});
    CHECK_THROWS_AS(slices.add_slice(0, std::vector<double>(72)), Error);
}
