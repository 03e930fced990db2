// Files that are read because the user says how, or that hold less than D needs.

#include "base/error.hpp"
#include "lattice/files/file_check.hpp"
#include "lattice/files/gauge_file.hpp"
#include "lattice/files/gauge_writer.hpp"
#include "lattice/files/hdf5_dataset.hpp"
#include "tests/lattice/corruption.hpp"
#include "tests/lattice/made_spinors.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>

using namespace qcd;
using namespace qcd::test;
using Catch::Contains;

namespace
{

std::unique_ptr<GaugeSource> open_bytes(const std::string& bytes, const GaugeReading& reading = {},
                                        const std::optional<Extents>& lattice = {})
{
    const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
    return open_gauge_file(memory_bytes("made", {first, first + bytes.size()}), lattice, reading);
}

Field other_field() { return load_spec("weak:0.3", good_lattice); }

/// The good field without links t in its last time slice.
Field open_field()
{
    Field field = good_field();
    const std::size_t slice = field.links.size() / std::size_t(good_lattice[3]);
    for (std::size_t site = field.links.size() - slice; site < field.links.size(); site += 72)
        std::fill_n(&field.links[site + 54], 18, 0.0);
    return field;
}

} // namespace

TEST_CASE("files that gzip has compressed are read, and damage in them is seen", "[gauge file]")
{
    const Scratch folder;
    const GaugeFormat format =
        GENERATE(GaugeFormat::ildg, GaugeFormat::nersc, GaugeFormat::openqcd, GaugeFormat::hdf5);
    if (format == GaugeFormat::hdf5 && !has_hdf5()) return;
    const std::string path = folder / "field", packed = path + ".gz";
    const auto writer = make_gauge_writer(path, good_lattice, format, 64);
    const std::size_t slice = good_field().links.size() / std::size_t(good_lattice[3]);
    for (int t = 0; t < good_lattice[3]; ++t)
        writer->write_slice(t,
                            std::span(good_field().links).subspan(std::size_t(t) * slice, slice));
    writer->finish(good_field().observables);
    REQUIRE(std::system(("gzip -k '" + path + "'").c_str()) == 0);
    CHECK(load(*open_gauge(packed, {})).links == load(*open_gauge(path, {})).links);
    std::filesystem::resize_file(packed, std::filesystem::file_size(packed) - 9);
    CHECK_THROWS_WITH(open_gauge(packed, {}),
                      Contains("compressed, and damaged: it ends too early"));
}

TEST_CASE("of a SciDAC file's fields the one of links is read, or that which a number says",
          "[gauge file]")
{
    LimeFile file = scidac_file(good_field(), 64);
    const LimeFile other = scidac_file(other_field(), 64),
                   spinors = packed_spinors({random_spinor(good_lattice, 1)}, 64,
                                            "USQCD_D3_DiracFermion");
    const auto add = [&](const LimeFile& more) {
        file.records.insert(file.records.end(), more.records.begin() + 2, more.records.end());
    };
    add(spinors);
    CHECK(load(*open_bytes(file.bytes())).links == good_field().links);
    add(other);
    CHECK_THROWS_WITH(open_bytes(file.bytes()),
                      Contains("2 gauge fields: --gauge-number says which, from 0 to 1"));
    CHECK(load(*open_bytes(file.bytes(), {.number = 0})).links == good_field().links);
    CHECK(load(*open_bytes(file.bytes(), {.number = 1})).links == other_field().links);
    CHECK_THROWS_WITH(open_bytes(file.bytes(), {.number = 2}), Contains("no gauge field 2"));
    CHECK_THROWS_WITH(open_bytes(ildg_file(good_field(), 64).bytes(), {.number = 1}),
                      Contains("none of number 1"));
    CHECK_THROWS_WITH(open_bytes(openqcd_file(good_field()).bytes(), {.number = 1}),
                      Contains("no gauge field 1"));
}

TEST_CASE("a wrong checksum is a note where it is to be ignored", "[gauge file]")
{
    LimeFile scidac = scidac_file(good_field(), 64);
    scidac["scidac-checksum"].data = scidac_checksum_text("", 1);
    MilcFile milc = milc_file(good_field(), Order::big);
    milc.sum29 = milc.sum31 = 0;
    NerscFile nersc = nersc_file(good_field(), 3, 64, Order::big, "IEEE64BIG");
    nersc["CHECKSUM"] = "0";
    for (const std::string& bytes : {scidac.bytes(), milc.bytes(), nersc.bytes()}) {
        CHECK_THROWS_WITH(load(*open_bytes(bytes)), Contains("made: wrong"));
        const Field field = load(*open_bytes(bytes, {.ignore_checksum = true}));
        REQUIRE(field.notes.size() == 1);
        CHECK_THAT(field.notes.front(), Contains("made: ignored: wrong"));
    }
    CHECK(load(*open_bytes(ildg_file(good_field(), 64).bytes(), {.ignore_checksum = true}))
              .notes.empty());
    LimeFile spinors =
        packed_spinors({random_spinor(made_spinor_lattice, 1)}, 64, "USQCD_D3_DiracFermion");
    spinors["scidac-checksum"].data = scidac_checksum_text("", 1);
    CHECK_THROWS_WITH(open_spinors(spinors.bytes()).verify(), Contains("wrong SciDAC checksum"));
    const auto ignored = open_spinors(spinors.bytes(), {.ignore_checksum = true}).verify();
    REQUIRE(ignored.size() == 1);
    CHECK_THAT(ignored.front(), Contains("ignored: wrong SciDAC checksum"));
}

TEST_CASE("a field that is open in time is read, and says so", "[gauge file]")
{
    const Field open = open_field();
    OpenqcdFile openqcd = openqcd_file(open);
    openqcd.plaquette = 1.5; // as other programs weigh it
    for (const std::string& bytes : {openqcd.bytes(), ildg_file(open, 64).bytes()}) {
        const auto source = open_bytes(bytes);
        CHECK(source->is_open_in_time());
        const Field field = load(*source);
        CHECK(field.links == open.links);
        REQUIRE(field.notes.size() == 1);
        CHECK_THAT(field.notes.front(), Contains("open boundary conditions"));
        CHECK(load(*open_bytes(bytes, {.reunitarize = true})).links.size() == open.links.size());
    }
    CHECK_FALSE(open_bytes(ildg_file(good_field(), 64).bytes())->is_open_in_time());
    Field partly = open;
    partly.links.back() = 1;
    CHECK_THROWS_WITH(load(*open_bytes(ildg_file(partly, 64).bytes())),
                      Contains("link t is not 0, as another one of the last time slice is"));
    const Scratch folder;
    write_text(folder / "open", ildg_file(open, 64).bytes());
    const GaugeFileReport report = check_gauge_file(open_file_bytes(folder / "open"), {}, [] {});
    CHECK(report.error == "");
    CHECK(report.unitarity < 1e-12);
}
