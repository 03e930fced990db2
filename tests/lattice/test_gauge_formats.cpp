// MILC, openQCD, SZIN and SciDAC: files put together by hand are read as meant, and what is written
// has their bytes; every format gives the links back.

#include "base/error.hpp"
#include "lattice/files/file_check.hpp"
#include "lattice/files/gauge_writer.hpp"
#include "lattice/files/hdf5_dataset.hpp"
#include "lattice/files/openqcd.hpp"
#include "tests/lattice/corruption.hpp"
#include "tests/reference/golden_checks.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

using namespace qcd;
using namespace qcd::test;
using Catch::Contains;

namespace
{

constexpr Extents uneven_lattice{4, 2, 6, 8};

void write_field(GaugeWriter& writer, const Field& field)
{
    const std::size_t slice = field.links.size() / std::size_t(field.lattice[3]);
    for (int t = 0; t < field.lattice[3]; ++t)
        writer.write_slice(t, std::span(field.links).subspan(std::size_t(t) * slice, slice));
    writer.finish(field.observables);
}

Field rounded_field(const std::string& spec, const Extents& lattice)
{
    Field field = load_spec(spec, lattice);
    field.links = rounded(field.links);
    return field;
}

} // namespace

TEST_CASE("MILC files of both byte orders are written and read as made by hand", "[gauge file]")
{
    const bool big_endian = GENERATE(true, false);
    const Extents lattice =
        GENERATE(as<Extents>{}, uneven_lattice, Extents{2, 2, 2, 2}, Extents{6, 4, 2, 10});
    const Scratch folder;
    const Field field = rounded_field(GENERATE("random:4", "unit", "weak:0.2"), lattice);
    MilcFile made = milc_file(field, big_endian ? Order::big : Order::little);
    CHECK(load_bytes(made.bytes()).links == field.links);
    CHECK(load_bytes(made.bytes()).notes.empty());
    write_field(*milc_writer(folder / "f", lattice, big_endian), field);
    made.date = "written by qcd_starpu";
    CHECK(read_text(folder / "f") == made.bytes());
    const auto source = open_gauge(folder / "f", lattice);
    CHECK(source->bits() == 32);
    CHECK(source->format() ==
          fmt::format("MILC version 5, 32 bits, {}-endian", big_endian ? "big" : "little"));
    CHECK(source->checksum() == fmt::format("{:08x} {:08x}", made.sum29, made.sum31));
}

TEST_CASE("openQCD files are written and read as made by hand", "[gauge file]")
{
    const Extents lattice = GENERATE(as<Extents>{}, uneven_lattice, Extents{2, 2, 2, 2},
                                     Extents{6, 4, 2, 10}, Extents{2, 6, 4, 2});
    const Scratch folder;
    const Field field = load_spec(GENERATE("random:4", "unit", "gen:3,1"), lattice);
    const OpenqcdFile made = openqcd_file(field);
    const Field back = load_bytes(made.bytes());
    CHECK(back.lattice == lattice);
    CHECK(back.links == field.links);
    CHECK(back.notes.empty());
    write_field(*openqcd_writer(folder / "f", lattice), field);
    CHECK(read_text(folder / "f") == made.bytes());
    CHECK(open_gauge(folder / "f", lattice)->format() == "openQCD, 64 bits");
    CHECK(open_gauge(folder / "f", lattice)->checksum().empty());
}

TEST_CASE("SZIN files of every version are read as made by hand", "[gauge file]")
{
    const Extents lattice =
        GENERATE(as<Extents>{}, uneven_lattice, Extents{2, 2, 2, 2}, Extents{6, 4, 2, 10});
    const Field field = rounded_field(GENERATE("random:4", "unit", "weak:0.2"), lattice);
    SzinFile made = szin_file(field);
    const int parameters[] = {7, 9, 10, 12, 13, 17, 25};
    for (made.version = 1; made.version <= 7; ++made.version) {
        INFO(made.version);
        made.parameters = parameters[made.version - 1];
        made.date.resize(1 + 14 * made.version, '\0');
        made.banner.resize(5 * (7 - made.version), 'x');
        const Field back = load_bytes(made.bytes());
        CHECK(back.lattice == lattice);
        CHECK(back.links == field.links);
        CHECK(back.notes.empty());
    }
    const Scratch folder;
    write_text(folder / "f", szin_file(field).bytes());
    const auto source = open_gauge(folder / "f", lattice);
    CHECK(source->bits() == 32);
    CHECK(source->format() == "SZIN version 7, 32 bits");
    CHECK(source->checksum().empty());
}

TEST_CASE("SciDAC files are written and read as made by hand", "[gauge file]")
{
    const int bits = GENERATE(32, 64);
    const Scratch folder;
    const Field field = bits == 32 ? rounded_field("random:4", uneven_lattice)
                                   : load_spec("gen:3,1", uneven_lattice);
    const LimeFile made = scidac_file(field, bits);
    CHECK(load_bytes(made.bytes()).links == field.links);
    write_field(*make_gauge_writer(folder / "f", uneven_lattice, GaugeFormat::scidac, bits), field);
    const std::string bytes = read_text(folder / "f");
    for (const auto& record : made.records) {
        INFO(record.type);
        const std::string header = lime_record_bytes({record.type, "", record.flags});
        const std::size_t at = bytes.find(record.type) - 16;
        CHECK(bytes.substr(at, 8) == header.substr(0, 8));
        if (record.type.find("xml") == std::string::npos) {
            const std::size_t sums = std::max<std::size_t>(record.data.find("<suma>"), 0);
            if (record.type == "scidac-checksum")
                CHECK(bytes.find(record.data.substr(sums)) != std::string::npos);
            else
                CHECK(bytes.substr(at + 144, record.data.size()) == record.data);
        }
    }
    CHECK(bytes.find(scidac_file_text(uneven_lattice)) != std::string::npos);
    const auto source = open_gauge(folder / "f", uneven_lattice);
    CHECK(source->format() == fmt::format("SciDAC, {} bits", bits));
    CHECK_FALSE(source->checksum().empty());
}

TEST_CASE("SciDAC files of other writers are read", "[gauge file]")
{
    const Field field = load_spec("random:4", uneven_lattice);
    LimeFile file = scidac_file(field, 64);
    std::string& record = file["scidac-private-record-xml"].data;
    std::string& lattice = file["scidac-private-file-xml"].data;
    SECTION("QIO's version 1.0")
    {
        record = replaced(replaced(record, "1.1", "1.0"), "<recordtype>0</recordtype>",
                          "<globaldata>0</globaldata>");
        record = replaced(record, "<spins>4</spins>", "");
        lattice = replaced(replaced(lattice, "1.1", "1.0"), "<volfmt>0</volfmt>",
                           "<multifile>1</multifile>");
    }
    SECTION("other names")
    {
        const std::string name =
            GENERATE("QUDA_DNc3_GaugeField", "USQCD_D3_ColorMatrix", "float_double", "M", "Lattice",
                     "numpy.ndarray", "GRID_D_LorentzVector4_ColourMatrix3");
        record = replaced(record, "QDP_D3_ColorMatrix", name);
    }
    SECTION("Grid")
    {
        lattice = replaced(replaced(lattice, "1.1", "1"), "4 2 6 8 ", "4 \n2 \n6 \n8");
        file["scidac-binary-data"].type = "ildg-binary-data";
        std::swap(file.records[2], file.records[3]);
        file.records.insert(file.records.begin() + 2, {"grid-format", "<FieldMetaData/>", 0});
    }
    SECTION("one datum of four links")
    {
        record = replaced(replaced(record, "<typesize>144", "<typesize>576"), "<datacount>4",
                          "<datacount>1");
    }
    SECTION("global data besides")
    {
        file.records.push_back({"scidac-private-record-xml",
                                replaced(record, "<recordtype>0", "<recordtype>1"), 0x8000});
        file.records.push_back({"scidac-record-xml", "<x/>", 0});
        file.records.push_back({"scidac-binary-data", "12345678", 0x4000});
    }
    SECTION("no checksum") { file.remove("scidac-checksum"); }
    CHECK(load_bytes(file.bytes()).links == field.links);
    CHECK(load_bytes(file.bytes()).lattice == uneven_lattice);
}

TEST_CASE("boxes of files whose sites lie in another order may come in any", "[gauge file]")
{
    const bool openqcd = GENERATE(true, false);
    const Scratch folder;
    const Field field =
        openqcd ? load_spec("random:4", uneven_lattice) : rounded_field("random:4", uneven_lattice);
    write_text(folder / "f", openqcd ? openqcd_file(field).bytes() : szin_file(field).bytes());
    const auto source = open_gauge(folder / "f", uneven_lattice);
    for (const Box& box : {Box{{1, 0, 2, 6}, {3, 2, 4, 2}}, Box{{0, 0, 0, 0}, {4, 1, 6, 4}},
                           Box{{0, 1, 0, 3}, {1, 1, 6, 3}}, Box{{3, 0, 1, 5}, {1, 2, 1, 1}}}) {
        std::vector<double> links(std::size_t(volume(box)) * 72);
        source->read_box(box, links);
        for (long i = 0; i < volume(box); ++i) {
            const auto expected = field.links.begin() + 72 * site_number(uneven_lattice, box, i);
            CHECK(std::equal(expected, expected + 72, links.begin() + 72 * i));
        }
    }
}

TEST_CASE("every format keeps every bit that it has room for", "[gauge file]")
{
    const Scratch folder;
    for (const GaugeFormatFacts& facts : gauge_formats())
        for (const int bits : {32, 64}) {
            if (facts.format == GaugeFormat::hdf5 && !has_hdf5()) continue;
            INFO(facts.name << ' ' << bits);
            const std::string path = folder / fmt::format("f{}", facts.endings.front());
            CHECK(gauge_format_of(path) == facts.format);
            const auto writer = [&] { return make_gauge_writer(path, uneven_lattice, bits); };
            if (std::find(facts.bits.begin(), facts.bits.end(), bits) == facts.bits.end()) {
                CHECK_THROWS_WITH(writer(), Contains(fmt::format("bits, not of {}", bits)));
                continue;
            }
            const Field field = bits == 32 ? rounded_field("random:6", uneven_lattice)
                                           : load_spec("random:6", uneven_lattice);
            write_field(*writer(), field);
            const auto source = open_gauge(path, uneven_lattice);
            CHECK(source->bits() == bits);
            CHECK(load(*source).links == field.links);
        }
    CHECK(gauge_format_of("no.such") == GaugeFormat::nersc);
}

TEST_CASE("slices are written in order, all of them and whole", "[gauge file]")
{
    const Scratch folder;
    const Field field = rounded_field("random:6", uneven_lattice);
    const std::size_t slice = field.links.size() / 8;
    for (const GaugeFormatFacts& facts : gauge_formats()) {
        if (facts.format == GaugeFormat::hdf5 && !has_hdf5()) continue;
        INFO(facts.name);
        const std::string path = folder / "f";
        {
            const auto writer =
                make_gauge_writer(path, uneven_lattice, facts.format, facts.bits.front());
            const std::span links(field.links);
            CHECK_THROWS_WITH(writer->write_slice(1, links.first(slice)), Contains("slice 0"));
            CHECK_THROWS_WITH(writer->write_slice(0, links.first(slice - 1)), Contains("slice 0"));
            writer->write_slice(0, links.first(slice));
            CHECK_THROWS_WITH(writer->finish(field.observables), Contains("1 of 8 time slices"));
        }
        CHECK_FALSE(std::filesystem::exists(path));
    }
}

QCD_GOLDEN_CASE("reference files go through every format of their precision unchanged")
{
    const Scratch scratch;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "data")) {
        const auto source = open_gauge(entry.path().string(), std::nullopt);
        const int bits = source->bits();
        const bool completed = source->third_rows_are_completed();
        const Field field = load(*source);
        for (const GaugeFormatFacts& facts : gauge_formats()) {
            if (facts.format == GaugeFormat::hdf5 && !has_hdf5()) continue;
            if (std::find(facts.bits.begin(), facts.bits.end(), bits) == facts.bits.end()) continue;
            INFO(entry.path() << ' ' << facts.name);
            write_field(*make_gauge_writer(scratch / "f", field.lattice, facts.format, bits),
                        field);
            const Field back = load(*open_gauge(scratch / "f", std::nullopt));
            CHECK(two_rows(back.links) == two_rows(field.links));
            // A last row that was completed has more bits than a file of 32 has room for.
            if (bits == 32 && completed) continue;
            CHECK(back.links == field.links);
            CHECK(back.observables.plaquette_total == field.observables.plaquette_total);
        }
    }
}

TEST_CASE("what a gauge file is and whether it is good", "[gauge file]")
{
    const Scratch folder;
    const Field field = load_spec("random:6", uneven_lattice);
    const std::string path = folder / "f.openqcd";
    write_field(*openqcd_writer(path, uneven_lattice), field);
    int slices = 0;
    const auto look = [&] {
        return check_gauge_file(open_file_bytes(path), {}, [&] { ++slices; });
    };
    const GaugeFileReport good = look();
    CHECK(good.good());
    CHECK(slices == 8);
    CHECK(good.format == "openQCD, 64 bits");
    CHECK(good.lattice == uneven_lattice);
    CHECK(good.bits == 64);
    CHECK(good.checksum.empty());
    REQUIRE(good.observables);
    CHECK(good.observables->plaquette_total == field.observables.plaquette_total);
    CHECK(good.unitarity == unitarity_violation(field));
    CHECK(good.determinant < 1e-14);
    const std::string bytes = read_text(path);
    write_text(path, flipped(bytes, 22)); // of the plaquette
    const GaugeFileReport wrong = look();
    CHECK_THAT(wrong.error, Contains("wrong plaquette"));
    CHECK(wrong.lattice == uneven_lattice);
    CHECK_FALSE(wrong.observables);
    write_text(path, cut(bytes, 1));
    CHECK_THAT(look().error, Contains("truncated"));
    CHECK_FALSE(look().lattice);
    write_text(path, bytes);
    CHECK_THROWS_WITH(check_gauge_file(open_file_bytes(path), {},
                                       [] { throw Error("stop", exit_not_converged); }),
                      "stop");
}
