#include "lattice/spinor_source.hpp"

#include "base/error.hpp"
#include "base/random.hpp"
#include "lattice/several_sources.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <numeric>

using namespace qcd;
using Catch::Contains;

namespace
{

constexpr Extents spinor_lattice{4, 6, 2, 8};

std::array<double, 24> site(const std::string& spec, const Coord& x)
{
    std::array<double, 24> out;
    out.fill(99);
    open_spinor_source(spec, spinor_lattice)->site(x, out.data());
    return out;
}

} // namespace

TEST_CASE("det sources are the det_spinor of the conventions", "[source]")
{
    const auto origin = site("det:1", {0, 0, 0, 0});
    CHECK(origin[0] == Approx(-0.22642154).epsilon(1e-7));
    CHECK(origin[1] == Approx(0.40624245).epsilon(1e-7));
    CHECK(origin[2] == Approx(0.10128331).epsilon(1e-7));
    CHECK(origin[3] == Approx(-0.38302813).epsilon(1e-7));
    const int s = ((5 * 2 + 1) * 6 + 3) * 4 + 2;
    const auto other = site("det:8", {2, 3, 1, 5});
    for (int n = 0; n < 24; ++n) CHECK(other[n] == uniform(24 * s + n, 8));
}

TEST_CASE("random sources are normal numbers of the site alone", "[source]")
{
    const auto a = site("random", {1, 2, 0, 3});
    CHECK(a == site("random:1", {1, 2, 0, 3}));
    CHECK(a != site("random:2", {1, 2, 0, 3}));
    CHECK(a != site("random:1", {1, 2, 1, 3}));
    double norm2 = 0;
    const auto source = open_spinor_source("random:4", spinor_lattice);
    for (int t = 0; t < 8; ++t)
        for (int y = 0; y < 6; ++y) {
            double out[24];
            source->site({0, y, 1, t}, out);
            norm2 = std::inner_product(out, out + 24, out, norm2);
        }
    CHECK(norm2 / (8 * 6 * 24) == Approx(1).margin(0.15));
}

TEST_CASE("point sources are 1 in one component", "[source]")
{
    auto expected = std::array<double, 24>{};
    CHECK(site("point:3,5,1,7,2,1", {3, 5, 1, 6}) == expected);
    expected[(2 * 3 + 1) * 2] = 1;
    CHECK(site("point:3,5,1,7,2,1", {3, 5, 1, 7}) == expected);
}

TEST_CASE("wall sources are 1 in one component of a time slice", "[source]")
{
    const auto zero = std::array<double, 24>{};
    auto expected = zero;
    expected[(3 * 3 + 2) * 2] = 1;
    for (int t = 0; t < 8; ++t)
        for (const int x : {0, 3})
            CHECK(site("wall:6,3,2", {x, 5 - x, 1, t}) == (t == 6 ? expected : zero));
}

TEST_CASE("time slice sources are random sources on one time slice", "[source]")
{
    for (int t = 0; t < 8; ++t) {
        const Coord x{3, 4, 1, t};
        const auto expected = t == 5 ? site("random:9", x) : std::array<double, 24>{};
        CHECK(site("timeslice:5,9", x) == expected);
    }
    CHECK(site("timeslice:0", {1, 2, 0, 0}) == site("random:1", {1, 2, 0, 0}));
}

TEST_CASE("sources describe themselves with their defaults", "[source]")
{
    for (const char* spec :
         {"det:3", "random:7", "point:3,5,1,7,2,1", "wall:7,3,2", "timeslice:0,5"})
        CHECK(open_spinor_source(spec, spinor_lattice)->description() == spec);
    CHECK(open_spinor_source("random", spinor_lattice)->description() == "random:1");
    CHECK(open_spinor_source("timeslice:3", spinor_lattice)->description() == "timeslice:3,1");
}

TEST_CASE("wrong sources are refused", "[source]")
{
    for (const char* spec : {"",
                             "det",
                             "det:",
                             "det:x",
                             "det:-1",
                             "det:1,2",
                             "random:",
                             "random:1.5",
                             "point",
                             "point:1,2",
                             "point:0,0,0,0,0,0,0",
                             "point:a,0,0,0,0,0",
                             "wall:1",
                             "wall",
                             "wall:1,2",
                             "wall:1,2,0,0",
                             "wall:x,0,0",
                             "timeslice",
                             "timeslice:",
                             "timeslice:1,",
                             "timeslice:1,2,3",
                             "timeslice:1,-1",
                             "det:99999999999999999999"})
        CHECK_THROWS_WITH(open_spinor_source(spec, spinor_lattice), Contains("is none of"));
    CHECK_THROWS_WITH(open_spinor_source("point:4,0,0,0,0,0", spinor_lattice),
                      Contains("x = 4 is not from 0 to 3"));
    CHECK_THROWS_WITH(open_spinor_source("point:0,0,0,-1,0,0", spinor_lattice), Contains("t = -1"));
    CHECK_THROWS_WITH(open_spinor_source("point:0,0,0,0,4,0", spinor_lattice),
                      Contains("spin = 4"));
    CHECK_THROWS_WITH(open_spinor_source("point:0,0,0,0,0,3", spinor_lattice),
                      Contains("colour = 3"));
    CHECK_THROWS_WITH(open_spinor_source("wall:8,0,0", spinor_lattice), Contains("t = 8"));
    CHECK_THROWS_WITH(open_spinor_source("wall:0,4,0", spinor_lattice), Contains("spin = 4"));
    CHECK_THROWS_WITH(open_spinor_source("timeslice:-1", spinor_lattice), Contains("t = -1"));
}

TEST_CASE("several right-hand sides are consecutive seeds, or the components of a point or wall",
          "[source]")
{
    CHECK(source_of_several("random:7", 0, 3) == "random:7");
    CHECK(source_of_several("random:7", 2, 3) == "random:9");
    CHECK(source_of_several("det:0", 1, 2) == "det:1");
    CHECK(source_of_several("point:1,2,3,4", 0, 12) == "point:1,2,3,4,0,0");
    CHECK(source_of_several("point:1,2,3,4", 11, 12) == "point:1,2,3,4,3,2");
    CHECK(source_of_several("wall:5", 4, 5) == "wall:5,1,1");
    CHECK(source_of_several("point:1,2,3,4,0,0", 0, 1) == "point:1,2,3,4,0,0");
    for (const char* spec : {"point:1,2,3,4,0,0", "wall:5,0,0", "timeslice:5",
                             "random:", "random:x", "det", "a_file", "point:"})
        CHECK_THROWS_WITH(source_of_several(spec, 0, 2), Contains("--rhs: 2 right-hand sides"));
    CHECK_THROWS_WITH(source_of_several("wall:5", 0, 13), Contains("12 components"));
}
