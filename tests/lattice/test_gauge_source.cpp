#include "lattice/gauge_source.hpp"

#include "base/error.hpp"
#include "lattice/link.hpp"
#include "tests/lattice/made_files.hpp"

#include <catch2/catch.hpp>

using namespace qcd;
using Catch::Contains;
using test::Field;
using test::load_spec;

namespace
{
constexpr Extents source_lattice{4, 2, 6, 4};
}

TEST_CASE("the unit field has plaquette and link trace 1", "[gauge]")
{
    const Field field = load_spec("unit", source_lattice);
    CHECK(field.observables.plaquette_total == 1);
    CHECK(field.observables.plaquette_temporal == 1);
    CHECK(field.observables.link_trace == 1);
    CHECK(unitarity_violation(field) == 0);
}

TEST_CASE("generated links are in SU(3)", "[gauge]")
{
    const char* spec = GENERATE("random:1", "random:18446744073709551615", "weak:0.2", "weak:0,3",
                                "weak:5,2", "gen:7,1", "gen:0,0", "gen:3,-2.5");
    const Field field = load_spec(spec, source_lattice);
    CAPTURE(spec);
    CHECK(unitarity_violation(field) < 1e-13);
    for (std::size_t i = 0; i < field.links.size(); i += links::reals_per_link)
        CHECK(links::determinant_violation(links::load(&field.links[i])) < 1e-13);
}

TEST_CASE("generated fields have the plaquettes of their ensembles", "[gauge]")
{
    const Extents larger{8, 8, 8, 8};
    CHECK(load_spec("weak:0.2", larger).observables.plaquette_total == Approx(0.827).margin(0.003));
    CHECK(load_spec("weak:0.2,9", larger).observables.plaquette_total ==
          Approx(0.827).margin(0.003));
    CHECK(load_spec("weak:0", larger).observables.plaquette_total == 1);
    CHECK(load_spec("random:1", larger).observables.plaquette_total == Approx(0).margin(0.01));
    CHECK(load_spec("random:1", larger).observables.link_trace == Approx(0).margin(0.01));
}

TEST_CASE("generated fields depend on the seed, which is 1 if not given", "[gauge]")
{
    CHECK(load_spec("random", source_lattice).links == load_spec("random:1", source_lattice).links);
    CHECK(load_spec("random:2", source_lattice).links !=
          load_spec("random:1", source_lattice).links);
    CHECK(load_spec("weak:0.2", source_lattice).links ==
          load_spec("weak:0.2,1", source_lattice).links);
    CHECK(load_spec("weak:0.2,4", source_lattice).links !=
          load_spec("weak:0.2,1", source_lattice).links);
    CHECK(open_gauge("random", source_lattice)->description() == "random:1");
    CHECK(open_gauge("weak:2e-1", source_lattice)->description() == "weak:0.2,1");
    CHECK(open_gauge("gen:7,1", source_lattice)->description() == "gen:7,1");
}

TEST_CASE("a link is a function of site number and direction", "[gauge]")
{
    // The same site numbers on another lattice: the same links.
    const Field a = load_spec("weak:0.3,5", {4, 2, 6, 4}),
                b = load_spec("weak:0.3,5", {2, 4, 4, 6});
    CHECK(a.links == b.links);
}

TEST_CASE("time slices may be asked of generated fields in any order", "[gauge]")
{
    const auto source = open_gauge("random:6", source_lattice);
    const Field field = load_spec("random:6", source_lattice);
    std::vector<double> slice(source->slice_reals());
    for (const int t : {3, 0, 2}) {
        source->read_slice(t, slice);
        CHECK(std::equal(slice.begin(), slice.end(), field.links.begin() + t * slice.size()));
    }
    CHECK_THROWS_AS(source->read_slice(4, slice), Error);
    CHECK_THROWS_AS(source->read_slice(-1, slice), Error);
    CHECK_THROWS_AS(source->read_slice(0, std::span(slice).first(10)), Error);
}

TEST_CASE("wrong gauge specifications are refused", "[gauge]")
{
    for (const char* spec :
         {"unit:1", "random:", "random:x", "random:1,2", "random:-1", "weak", "weak:", "weak:x",
          "weak:nan", "weak:inf", "weak:1e300", "weak:0.2,1,2", "weak:0.2,", "gen", "gen:7",
          "gen:7,x", "gen:7,1,2", "gen:,1"})
        CHECK_THROWS_WITH(open_gauge(spec, source_lattice), Contains("is not of the form"));
    CHECK_THROWS_WITH(open_gauge("unit", std::nullopt), Contains("needs the lattice's extents"));
    CHECK_THROWS_WITH(open_gauge("unit", Extents{3, 4, 4, 4}), Contains("must be even"));
    CHECK_THROWS_WITH(open_gauge("rnadom:1", source_lattice), Contains("rnadom:1: cannot open"));
}
