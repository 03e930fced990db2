// Links in 12 and 8 reals: what comes back.

#include "lattice/gauge_source.hpp"
#include "lattice/link_storage.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <vector>

using namespace qcd;
using links::Link;

namespace
{

/// How far the link is from what its reals, rounded as a Real, make of it. `finite`: the square of
/// the product that kernels divide by is a number in this precision.
template <class Real>
double loss(const Link& u, LinkStorage storage)
{
    double r[18];
    links::compress(u, storage, std::numeric_limits<Real>::epsilon() / 2, r);
    for (int i = 0; i < reals(storage); ++i) r[i] = Real(r[i]);
    if (storage == LinkStorage::minimal) {
        Real z2 = 1, w2 = 1;
        for (int i = 4; i < 8; ++i) z2 += Real(r[i] * r[i]);
        for (int i = 2; i < 4; ++i) w2 += Real(r[i] * r[i]);
        const Real divisor = Real(Real(1 + r[0] * r[0]) * z2) * Real(Real(1 + r[1] * r[1]) * w2);
        REQUIRE(std::isnormal(divisor));
        REQUIRE(std::isnormal(1 / divisor));
    }
    return links::distance(links::expand(r, storage), u);
}

std::vector<Link> links_of(const std::string& gauge, const Extents& lattice)
{
    std::vector<Link> all;
    const auto source = open_gauge(gauge, lattice);
    std::vector<double> slice(72 * lattice[0] * lattice[1] * lattice[2]);
    for (int t = 0; t < lattice[3]; ++t) {
        source->read_slice(t, slice);
        for (std::size_t i = 0; i < slice.size(); i += 18) all.push_back(links::load(&slice[i]));
    }
    return all;
}

void check_loss(const std::vector<Link>& all, double in_double, double in_single)
{
    for (const LinkStorage storage : {LinkStorage::two_rows, LinkStorage::minimal}) {
        double worst[2] = {};
        for (const Link& u : all) {
            worst[0] = std::max(worst[0], loss<double>(u, storage));
            worst[1] = std::max(worst[1], loss<float>(u, storage));
        }
        INFO("links of " << reals(storage));
        CHECK(worst[0] <= in_double);
        CHECK(worst[1] <= in_single);
    }
}

} // namespace

TEST_CASE("links of 12 and 8 reals: unit links come back exactly")
{
    check_loss({links::unit()}, 0, 0);
}

TEST_CASE("links of 12 and 8 reals: every link comes back to rounding")
{
    // 2e-14: a random link can come within 0.1 of a pole, and has itself errors of 1e-15.
    for (const char* gauge : {"random:1", "weak:0.2", "weak:0.001", "gen:1,0.5"}) {
        INFO(gauge);
        check_loss(links_of(gauge, {8, 8, 8, 16}), 2e-14, 2e-7);
    }
}

TEST_CASE("links of 12 and 8 reals: no link is excluded, at and around the poles either")
{
    const std::vector<Link> noise = links_of("random:3", {2, 2, 2, 4});
    const int signs = GENERATE(range(0, 4));
    for (const double size : {0.0, 1e-300, 1e-150, 1e-20, 1e-16, 1e-12, 1e-8, 1e-7, 1e-4, 1e-2}) {
        INFO("diagonal signs " << signs << ", " << size << " beside them");
        std::vector<Link> all;
        for (Link u : noise) {
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 3; ++j) {
                    u.e[i][j].re = size * u.e[i][j].re + (i != j ? 0 : signs >> i & 1 ? -1 : 1);
                    u.e[i][j].im *= size;
                }
            links::project_two_rows(u);
            all.push_back(u);
        }
        check_loss(all, 2e-15, 2e-7);
    }
}

TEST_CASE("links of 12 and 8 reals: what is not in SU(3) does not come back")
{
    Link u = links::unit();
    u.e[2][2].re = -1; // determinant
    CHECK(loss<double>(u, LinkStorage::full) == 0);
    CHECK(loss<double>(u, LinkStorage::two_rows) == 2);
    CHECK(loss<double>(u, LinkStorage::minimal) == 2);
    u = links::unit();
    u.e[0][0].re = std::numeric_limits<double>::quiet_NaN();
    CHECK(std::isnan(links::distance(u, links::unit())));
}
