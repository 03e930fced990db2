// What is written is read back bit for bit, and files put together by hand are read as meant.

#include "base/error.hpp"
#include "lattice/files/gauge_writer.hpp"
#include "lattice/link.hpp"
#include "tests/lattice/made_files.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>

#include <cctype>
#include <cmath>
#include <fmt/format.h>

using namespace qcd;
using namespace qcd::test;
using Catch::Contains;
using Catch::StartsWith;

namespace
{

constexpr Extents file_lattice{4, 2, 2, 6};

void write(GaugeWriter& writer, const Field& field)
{
    const std::size_t slice = field.links.size() / field.lattice[3];
    for (int t = 0; t < field.lattice[3]; ++t)
        writer.write_slice(t, std::span(field.links).subspan(t * slice, slice));
    writer.finish(field.observables);
}

Field read(const std::string& path) { return load(*open_gauge(path, std::nullopt)); }

/// The field as a 32-bit file can hold it.
Field single_precision(const Field& field)
{
    Field out = field;
    out.links = rounded(field.links);
    return out;
}

double distance(const std::vector<double>& a, const std::vector<double>& b)
{
    REQUIRE(a.size() == b.size());
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

} // namespace

TEST_CASE("NERSC files of every kind round-trip", "[gauge file]")
{
    const int bits = GENERATE(32, 64), rows = GENERATE(2, 3);
    const bool big_endian = GENERATE(true, false);
    const Scratch folder;
    const std::string path = folder / "field";
    const std::string spec = GENERATE("random:4", "weak:0.2", "gen:3,1");
    const Field field = load_spec(spec, file_lattice);
    write(*nersc_writer(path, file_lattice, {bits, big_endian, rows}), field);
    const Field back = read(path);
    CHECK(back.lattice == file_lattice);
    if (bits == 64) {
        CHECK(two_rows(back.links) == two_rows(field.links));
        // Row 2 of gen has the bits that other codes give it, not those of a reader.
        if (rows == 3 || spec != "gen:3,1") CHECK(back.links == field.links);
    }
    if (bits == 32) {
        CHECK(two_rows(back.links) == two_rows(rounded(field.links)));
        if (rows == 3) CHECK(back.links == rounded(field.links));
    }
    CHECK(distance(back.links, field.links) < (bits == 64 ? 1e-15 : 1e-6));
}

TEST_CASE("sources whose last rows are completed say so", "[gauge file]")
{
    const Scratch folder;
    const auto check = [](const std::string& spec, bool completed) {
        INFO(spec);
        const auto source =
            open_gauge(spec, is_generated(spec) ? std::optional(file_lattice) : std::nullopt);
        CHECK(source->third_rows_are_completed() == completed);
        const Field field = load(*source);
        std::vector<double> again = field.links;
        for (std::size_t i = 0; i < again.size(); i += links::reals_per_link) {
            links::Link u = links::load(&again[i]);
            links::complete_third_row(u);
            links::store(u, &again[i]);
        }
        if (completed) CHECK(again == field.links);
    };
    for (const char* spec : {"unit", "random:4", "weak:0.2"}) check(spec, true);
    check("gen:3,1", false);
    const Field field = load_spec("random:4", file_lattice);
    for (const int bits : {32, 64}) {
        for (const int rows : {2, 3}) {
            const std::string path = folder / fmt::format("{}_{}", bits, rows);
            write(*nersc_writer(path, file_lattice, {bits, true, rows}), field);
            check(path, rows == 2);
        }
        const std::string path = folder / fmt::format("{}", bits);
        write(*make_gauge_writer(path, file_lattice, GaugeFormat::ildg, bits), field);
        check(path, false);
    }
}

TEST_CASE("ILDG files round-trip", "[gauge file]")
{
    const Scratch folder;
    const Field field = load_spec("random:4", file_lattice);
    write(*make_gauge_writer(folder / "double", file_lattice, GaugeFormat::ildg, 64), field);
    CHECK(read(folder / "double").links == field.links);
    write(*make_gauge_writer(folder / "single", file_lattice, GaugeFormat::ildg, 32), field);
    CHECK(read(folder / "single").links == rounded(field.links));
}

TEST_CASE("a written ILDG file has the records that other codes ask for", "[gauge file]")
{
    const Scratch folder;
    const Field field = load_spec("random:5", file_lattice); // whose sums have eight digits
    write(*make_gauge_writer(folder / "f.lime", file_lattice, GaugeFormat::ildg, 64), field);
    const std::string bytes = read_text(folder / "f.lime");
    const std::string links = encode(field.links, 64, Order::big);
    constexpr int begins = 0x8000, ends = 0x4000;
    const LimeFile expected{{{"ildg-format", ildg_format_text(file_lattice, 64), begins},
                             {"ildg-data-lfn", "f.lime", 0},
                             {"ildg-binary-data", links, 0},
                             {"scidac-checksum", scidac_checksum_text(links, 576), ends}}};
    for (const auto& record : expected.records) {
        INFO(record.type);
        const std::string header = lime_record_bytes({record.type, "", record.flags});
        const std::size_t at = bytes.find(record.type) - 16;
        CHECK(bytes.substr(at, 8) == header.substr(0, 8));
        if (record.type != "ildg-format" && record.type != "scidac-checksum")
            CHECK(bytes.substr(at + 144, record.data.size()) == record.data);
    }
    const std::string sums = expected.records.back().data;
    CHECK(bytes.find(sums.substr(sums.find("<suma>"))) != std::string::npos);
}

TEST_CASE("what other codes write is read", "[gauge file]")
{
    const Field field = load_spec("random:4", file_lattice);
    LimeFile lime = ildg_file(field, 64);
    for (const char* type : {"ildg-format", "scidac-checksum"}) { // Grid
        std::string& xml = lime[type].data;
        xml = replaced(xml, "<version>1.0<", "<version>1<");
    }
    std::string& sums = lime["scidac-checksum"].data; // nissa
    sums = replaced(replaced(sums, "<suma>", "<suma>0x"), "<sumb>", "<sumb>0x");
    CHECK(load_bytes(lime.bytes()).links == field.links);

    NerscFile nersc = nersc_file(field, 3, 64, Order::big, "IEEE64BIG");
    nersc["CHECKSUM"] = "0x" + nersc["CHECKSUM"];
    nersc.header.push_back({"CREATOR", "one"});
    nersc.header.push_back({"CREATOR", "another\na line of words"});
    CHECK(load_bytes(nersc.bytes()).links == field.links);

    const Field unit = load_spec("unit", file_lattice);
    NerscFile cold = nersc_file(unit, 3, 64, Order::big, "IEEE64BIG");
    cold["PLAQUETTE"] = "1.0000000000000002";
    CHECK(load_bytes(cold.bytes()).links == unit.links);
}

TEST_CASE("a field is saved in the precision that it comes in", "[gauge file]")
{
    const Scratch folder;
    const Field field = load_spec("random:4", file_lattice);
    write(*make_gauge_writer(folder / "single", file_lattice, GaugeFormat::ildg, 32), field);
    const auto source = open_gauge(folder / "single", file_lattice);
    CHECK(source->bits() == 32);
    const Field read_back = load(*source);
    for (const char* name : {"again.lime", "again.nersc"}) {
        write(*make_gauge_writer(folder / name, file_lattice, source->bits()), read_back);
        CHECK(read(folder / name).links == read_back.links);
    }
    CHECK(open_gauge("random:4", file_lattice)->bits() == 64);
}

TEST_CASE("the extension chooses the format, the content tells it", "[gauge file]")
{
    const Scratch folder;
    const Field field = load_spec("weak:0.1", file_lattice);
    for (const char* name : {"a.lime", "a.ildg", "a.nersc", "a", "lime"}) {
        write(*make_gauge_writer(folder / name, file_lattice), field);
        CHECK(read(folder / name).links == field.links);
    }
    CHECK_THAT(read_text(folder / "a.lime"), StartsWith("\x45\x67\x89\xab"));
    CHECK_THAT(read_text(folder / "a"), StartsWith("BEGIN_HEADER\n"));
    CHECK_THAT(open_gauge(folder / "lime", file_lattice)->description(),
               Contains("NERSC, 3 rows, IEEE64BIG"));
}

TEST_CASE("a slice larger than what is read at once round-trips", "[gauge file]")
{
    const Scratch folder;
    const Extents wide{24, 16, 14, 2}; // 5376 sites a slice
    const Field field = load_spec("gen:2,1", wide);
    for (const char* name : {"wide.nersc", "wide.ildg"}) {
        write(*make_gauge_writer(folder / name, wide), field);
        CHECK(read(folder / name).links == field.links);
    }
}

TEST_CASE("made NERSC files are read in every precision, byte order and number of rows",
          "[gauge file]")
{
    struct Kind {
        const char* name;
        int bits;
        Order order;
    };
    const Kind kind =
        GENERATE(Kind{"IEEE32", 32, Order::big}, Kind{"IEEE32", 32, Order::little},
                 Kind{"IEEE32BIG", 32, Order::big}, Kind{"IEEE32LITTLE", 32, Order::little},
                 Kind{"IEEE64", 64, Order::big}, Kind{"IEEE64", 64, Order::little},
                 Kind{"IEEE64BIG", 64, Order::big}, Kind{"IEEE64LITTLE", 64, Order::little});
    const int rows = GENERATE(2, 3);
    const Field exact = load_spec("random:9", file_lattice);
    const Field field = kind.bits == 32 ? single_precision(exact) : exact;
    const Field back =
        load_bytes(nersc_file(field, rows, kind.bits, kind.order, kind.name).bytes());
    CHECK(two_rows(back.links) == two_rows(field.links));
    if (rows == 3 || kind.bits == 64) CHECK(back.links == field.links);
}

TEST_CASE("unit links, mostly zeros, show their byte order", "[gauge file]")
{
    const int bits = GENERATE(32, 64), rows = GENERATE(2, 3);
    const Order order = GENERATE(Order::big, Order::little);
    const Field field = load_spec("unit", file_lattice);
    const std::string name = bits == 32 ? "IEEE32" : "IEEE64";
    const std::string bytes = nersc_file(field, rows, bits, order, name).bytes();
    CHECK(load_bytes(bytes).links == field.links);
    const Scratch folder;
    write_text(folder / "f", bytes);
    CHECK_THAT(open_gauge(folder / "f", std::nullopt)->description(),
               Contains(name + (order == Order::big ? ", big-endian" : ", little-endian")));
}

TEST_CASE("made ILDG files are read in both precisions, with and without a checksum",
          "[gauge file]")
{
    const int bits = GENERATE(32, 64);
    const Field exact = load_spec("gen:9,1", file_lattice);
    const Field field = bits == 32 ? single_precision(exact) : exact;
    LimeFile file = ildg_file(field, bits);
    CHECK(load_bytes(file.bytes()).links == field.links);
    file.remove("scidac-checksum");
    const std::string cut_after_links = file.bytes();
    file.remove("ildg-data-lfn");
    file.remove("xlf-info");
    CHECK(load_bytes(file.bytes()).links == field.links);
    const Scratch folder;
    write_text(folder / "f", cut_after_links);
    CHECK_THAT(open_gauge(folder / "f", std::nullopt)->description(),
               Contains(std::to_string(bits) + " bits, no checksum"));
}

TEST_CASE("harmless variety in headers is accepted", "[gauge file]")
{
    const Field field = load_spec("gen:9,1", file_lattice);
    LimeFile ildg = ildg_file(field, 64);
    std::string& xml = ildg["ildg-format"].data;
    SECTION("attributes, prefixes, comments and blanks")
    {
        xml = replaced(xml, "<ildgFormat>", "<i:ildgFormat\n xmlns:i=\"http://x/>\" a='\"'>");
        xml = replaced(xml, "</ildgFormat>", "</i:ildgFormat >");
        xml = replaced(xml, "<lx>", "<!-- <lx>9</lx> -->\n<i:lx b=''>\t");
        xml = replaced(xml, "</lx>", " </i:lx>");
    }
    SECTION("NUL bytes at the end") { xml += std::string(3, '\0'); }
    SECTION("no declaration") { xml = xml.substr(xml.find('\n') + 1); }
    SECTION("message flags set wrong")
    {
        for (auto& record : ildg.records) record.flags = 0x8000;
    }
    SECTION("records in another order") { std::swap(ildg.records[1], ildg.records[4]); }
    CHECK(load_bytes(ildg.bytes()).links == field.links);

    NerscFile nersc = nersc_file(field, 3, 64, Order::big, "IEEE64BIG");
    for (char& digit : nersc["CHECKSUM"]) digit = char(std::toupper(digit));
    nersc["PLAQUETTE"] = nersc["PLAQUETTE"].substr(0, 6);
    nersc["CREATOR"] = "a = b  ";
    nersc.end = "\nEND_HEADER\r\n";
    CHECK(load_bytes(nersc.bytes()).links == field.links);
}

TEST_CASE("header averages are compared to the digits that they print", "[gauge file]")
{
    const Field field = load_spec("gen:9,1", file_lattice);
    NerscFile file = nersc_file(field, 3, 64, Order::big, "IEEE64BIG");
    const double plaquette = field.observables.plaquette_total;
    for (const char* format : {"{:.2f}", "{:.5f}", "{:.12f}", "{:.3e}", "{:.17g}"}) {
        file["PLAQUETTE"] = fmt::format(fmt::runtime(format), plaquette);
        CHECK_NOTHROW(load_bytes(file.bytes()));
    }
    file["PLAQUETTE"] = "1"; // no digits that say anything
    CHECK_THROWS_WITH(load_bytes(file.bytes()), Contains("wrong plaquette"));
    file["PLAQUETTE"] = fmt::format("{:.9f}", plaquette + 3e-9);
    CHECK_THROWS_WITH(load_bytes(file.bytes()), Contains("wrong plaquette"));
    file["PLAQUETTE"] = fmt::format("{:.3e}", plaquette + 3e-4);
    CHECK_THROWS_WITH(load_bytes(file.bytes()), Contains("wrong plaquette"));
}

TEST_CASE("files are read once", "[gauge file]")
{
    const Scratch folder;
    const Field field = load_spec("weak:0.1", file_lattice);
    write(*make_gauge_writer(folder / "f", file_lattice), field);
    const auto source = open_gauge(folder / "f", file_lattice);
    std::vector<double> slice(source->slice_reals());
    source->read_slice(1, slice);
    source->read_slice(0, slice);
    CHECK_THROWS_WITH(source->read_slice(1, slice), Contains("were read before"));
}
