// Links near SU(3) are refused, or projected on request.

#include "base/error.hpp"
#include "lattice/files/gauge_file.hpp"
#include "lattice/link.hpp"
#include "tests/lattice/corruption.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace qcd;
using namespace qcd::test;
using Catch::Contains;

namespace
{

std::unique_ptr<GaugeSource> open_made(const std::string& bytes, const GaugeReading& reading)
{
    const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
    return open_gauge_file(
        memory_bytes("made", std::vector<std::byte>(begin, begin + bytes.size())), std::nullopt,
        reading);
}

/// The good field in single accuracy.
Field rough_field()
{
    Field field = good_field();
    field.links = rounded(field.links);
    return field;
}

/// Files of 64 and 32 bits, of three rows and two.
std::vector<std::string> files_of(const Field& field)
{
    std::vector<std::string> files = {ildg_file(field, 64).bytes(), ildg_file(field, 32).bytes()};
    for (const int rows : {2, 3})
        files.push_back(nersc_file(field, rows, 64, Order::big, "IEEE64").bytes());
    files.push_back(nersc_file(field, 3, 64, Order::little, "IEEE64").bytes());
    return files;
}

double largest_distance(const std::vector<double>& a, const std::vector<double>& b)
{
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

Field scaled(double by)
{
    Field field = good_field();
    for (std::size_t i = 0; i < 18; ++i) field.links[72 + i] *= by;
    return field;
}

} // namespace

TEST_CASE("links of single accuracy in 64 bits are refused, with the way on", "[reunitarize]")
{
    for (const std::string& bytes :
         {ildg_file(rough_field(), 64).bytes(),
          nersc_file(rough_field(), 2, 64, Order::big, "IEEE64BIG").bytes()})
        CHECK_THROWS_WITH(load_bytes(bytes),
                          Contains("in a 64-bit file; --reunitarize would project it"));
}

TEST_CASE("links of single accuracy are projected on request", "[reunitarize]")
{
    for (const std::string& bytes : files_of(rough_field())) {
        const auto source = open_made(bytes, {.reunitarize = true});
        CHECK(source->bits() == 64);
        CHECK(source->third_rows_are_completed());
        CHECK_THAT(source->description(), Contains(", reunitarized)"));
        const Field field = load(*source);
        CHECK(unitarity_violation(field) < 1e-14);
        CHECK(largest_distance(field.links, good_field().links) < 3e-7);
        std::vector<double> completed = field.links;
        for (std::size_t i = 0; i < completed.size(); i += links::reals_per_link) {
            links::Link u = links::load(&completed[i]);
            CHECK(links::determinant_violation(u) < 1e-14);
            links::complete_third_row(u);
            links::store(u, &completed[i]);
        }
        CHECK(completed == field.links);
        REQUIRE(field.notes.size() == 1);
        CHECK_THAT(field.notes[0], Contains("made: links reunitarized, which moved elements by ") &&
                                       (Contains("e-08 at most") || Contains("e-07 at most")));
    }
}

TEST_CASE("links in SU(3) stay where they are", "[reunitarize]")
{
    const Field field =
        load(*open_made(ildg_file(good_field(), 64).bytes(), {.reunitarize = true}));
    CHECK(largest_distance(field.links, good_field().links) < 1e-15);
}

TEST_CASE("links that are not near SU(3) are not projected", "[reunitarize]")
{
    const auto refused = [](const Field& field, const char* why) {
        CHECK_THROWS_WITH(load(*open_made(ildg_file(field, 64).bytes(), {.reunitarize = true})),
                          Contains(why));
        CHECK_THROWS_WITH(load_bytes(ildg_file(field, 64).bytes()), !Contains("--reunitarize"));
    };
    CHECK_NOTHROW(load(*open_made(ildg_file(scaled(1 + 3e-5), 64).bytes(), {.reunitarize = true})));
    refused(scaled(1 + 6e-5), "at most 1e-04 where links are reunitarized");
    refused(scaled(0), "not unitary");
    refused(with_negative_link(3), "determinant");
    refused(with(18, not_a_number), "not finite");
}

TEST_CASE("checksums are of the stored links, averages of the projected ones", "[reunitarize]")
{
    NerscFile file = nersc_file(rough_field(), 3, 64, Order::big, "IEEE64BIG");
    file["PLAQUETTE"] = "0.25";
    CHECK_THROWS_WITH(load(*open_made(file.bytes(), {.reunitarize = true})),
                      Contains("wrong plaquette"));
    file["CHECKSUM"] = "1";
    CHECK_THROWS_WITH(load(*open_made(file.bytes(), {.reunitarize = true})),
                      Contains("wrong checksum"));
}

TEST_CASE("generated fields are not reunitarized", "[reunitarize]")
{
    CHECK_THROWS_WITH(open_gauge("weak:0.2", good_lattice, {.reunitarize = true}),
                      Contains("is generated"));
}
