// Smearing against what it must be: covariant, the plain formula on unit links, nothing with N = 0.

#include "base/error.hpp"
#include "lattice/box.hpp"
#include "lattice/gauge_source.hpp"
#include "lattice/link.hpp"
#include "lattice/smearing.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using namespace qcd;
using Catch::Contains;

namespace
{

const Extents smeared_lattice{4, 2, 6, 4};
constexpr long slice_sites = 4 * 2 * 6;

std::vector<double> slice_of(const std::string& field, int t)
{
    const auto gauge = open_gauge(field, smeared_lattice);
    std::vector<double> links(gauge->slice_reals());
    for (int s = 0; s <= t; ++s) gauge->read_slice(s, links);
    return links;
}

std::vector<double> random_vector(std::uint64_t seed)
{
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> psi(6 * slice_sites);
    for (double& c : psi) c = normal(random);
    return psi;
}

long site_of_slice(int x, int y, int z)
{
    const auto wrap = [](int c, int l) { return (c + l) % l; };
    return wrap(x, 4) + 4 * (wrap(y, 2) + 2 * wrap(z, 6));
}

/// f(site, its three forward neighbours)
template <class F>
void for_slice(const F& f)
{
    for (int z = 0; z < 6; ++z)
        for (int y = 0; y < 2; ++y)
            for (int x = 0; x < 4; ++x)
                f(site_of_slice(x, y, z),
                  std::array{site_of_slice(x + 1, y, z), site_of_slice(x, y + 1, z),
                             site_of_slice(x, y, z + 1)});
}

/// A gauge transformation: a unitary matrix a site, those of other links.
links::Link rotation(const std::vector<double>& others, long site)
{
    return links::load(&others[site * links::reals_per_site]);
}

std::vector<double> rotated(const std::vector<double>& others, const std::vector<double>& psi)
{
    std::vector<double> out(psi.size());
    for (long site = 0; site < slice_sites; ++site)
        for (int row = 0; row < 3; ++row) {
            links::Complex sum{0, 0};
            for (int column = 0; column < 3; ++column)
                sum = sum + rotation(others, site).e[row][column] *
                                links::Complex{psi[6 * site + 2 * column],
                                               psi[6 * site + 2 * column + 1]};
            out[6 * site + 2 * row] = sum.re;
            out[6 * site + 2 * row + 1] = sum.im;
        }
    return out;
}

links::Link adjoint(const links::Link& u)
{
    links::Link out;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) out.e[i][j] = links::conj(u.e[j][i]);
    return out;
}

double difference(const std::vector<double>& a, const std::vector<double>& b)
{
    REQUIRE(a.size() == b.size());
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

} // namespace

TEST_CASE("smearing is gauge covariant: g S[U] psi = S[g U g^dagger] g psi")
{
    const std::vector<double> u = slice_of("random:3", 1), g = slice_of("random:8", 2);
    std::vector<double> transformed = u;
    for_slice([&](long site, const std::array<long, 3>& forward) {
        for (int mu = 0; mu < 3; ++mu) {
            double* at = &transformed[site * links::reals_per_site + mu * links::reals_per_link];
            links::store(rotation(g, site) * links::load(at) * adjoint(rotation(g, forward[mu])),
                         at);
        }
    });
    const std::vector<double> psi = random_vector(5);
    const Smearing s{1.5, 9};
    const auto smeared = smear(smeared_lattice, u, s, psi);
    CHECK(difference(rotated(g, smeared), smear(smeared_lattice, transformed, s, rotated(g, psi))) <
          1e-13);
    CHECK(difference(smeared, psi) > 0.1);
}

TEST_CASE("on unit links smearing is diffusion, and loses nothing")
{
    const std::vector<double> u = slice_of("unit", 0);
    const Smearing s{2, GENERATE(7, 5)}; // with 5 short waves grow
    const double sigma = 1.0 / s.steps;
    std::vector<double> psi = random_vector(6);
    const auto smeared = smear(smeared_lattice, u, s, psi);
    for (int step = 0; step < s.steps; ++step) {
        std::vector<double> next = psi;
        for_slice([&](long site, const std::array<long, 3>& forward) {
            for (const long other : forward)
                for (int c = 0; c < 6; ++c) { // along a link both ways
                    next[6 * site + c] += sigma * (psi[6 * other + c] - psi[6 * site + c]);
                    next[6 * other + c] += sigma * (psi[6 * site + c] - psi[6 * other + c]);
                }
        });
        psi = next;
    }
    CHECK(difference(smeared, psi) < 1e-13);
    double before = 0, after = 0;
    const std::vector<double> start = random_vector(6);
    for (long i = 0; i < 6 * slice_sites; i += 6) {
        before += start[i];
        after += smeared[i];
    }
    CHECK(after == Approx(before));
}

TEST_CASE("many steps make a Gaussian of mean square 3 W^2/2")
{
    const Extents large{24, 24, 24, 2};
    const auto gauge = open_gauge("unit", large);
    std::vector<double> u(gauge->slice_reals());
    gauge->read_slice(0, u);
    const SmearedPoint point(large, {12, 12, 12, 0}, {2, 30}, u);
    const auto source = point.source(2, 1);
    double sum = 0, square = 0;
    for_each_site(time_slice(large, 0), [&](const Coord& x) {
        double s[24];
        source->site(x, s);
        sum += s[14];
        for (int i = 0; i < 3; ++i) square += s[14] * (x[i] - 12) * (x[i] - 12);
    });
    CHECK(sum == Approx(1));
    CHECK(square == Approx(6)); // 6 sigma a step
}

TEST_CASE("without steps the point stays, with them its spin and time slice")
{
    const std::vector<double> u = slice_of("random:3", 2);
    const Coord at{1, 1, 4, 2};
    const int steps = GENERATE(0, 6);
    const SmearedPoint point(smeared_lattice, at, {1.25, steps}, u);
    for (int number = 0; number < 12; ++number) {
        const int spin = number / 3, colour = number % 3;
        const auto source = point.source(spin, colour);
        double norm2 = 0, elsewhere = 0, here[24] = {};
        for_each_site(smeared_lattice, [&](const Coord& x) {
            double s[24];
            source->site(x, s);
            for (int i = 0; i < 24; ++i) {
                norm2 += s[i] * s[i];
                if (x[3] != 2 || i / 6 != spin) elsewhere += std::abs(s[i]);
                if (x == at) here[i] = s[i];
            }
        });
        CHECK(elsewhere == 0);
        if (steps == 0) {
            CHECK(here[2 * number] == 1);
            CHECK(norm2 == 1);
        } else {
            CHECK(norm2 < 1);
        }
    }
}

TEST_CASE("what is no smearing is said")
{
    CHECK(parse_smearing("2,6", "--smeared") == Smearing{2, 6});
    CHECK(parse_smearing("5.5,0", "--smeared").sigma() == 0);
    for (const char* bad : {"", "2", "2,", ",3", "2,x", "2,-1", "-1,3", "nan,5", "2,6,1", "2;6"})
        CHECK_THROWS_WITH(parse_smearing(bad, "--smeared"), Contains("is not W,N"));
    CHECK(parse_smearing("2.0,5", "--smeared") == Smearing{2, 5}); // of Chroma's own inputs
    CHECK(Smearing{2, 5}.short_waves_grow());
    CHECK(!Smearing{2, 6}.short_waves_grow());
    CHECK(!Smearing{2, 0}.short_waves_grow());
}
