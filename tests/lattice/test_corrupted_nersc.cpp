// NERSC files, and files of no supported format, that must be refused, each with the reason. All
// are made here.

#include "base/error.hpp"
#include "tests/lattice/corruption.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>
#include <sys/stat.h>

#include <fmt/format.h>
#include <limits>

using namespace qcd;
using namespace qcd::test;
using Catch::Contains;

namespace
{

constexpr double infinity = std::numeric_limits<double>::infinity();
NerscFile nersc(const Field& made = good_field(), int rows = 3)
{
    return nersc_file(made, rows, 64, Order::big, "IEEE64BIG");
}

std::string nersc_with(const std::string& key, const std::string& value)
{
    NerscFile file = nersc();
    file[key] = value;
    return file.bytes();
}
std::string nersc_without(const std::string& key)
{
    NerscFile file = nersc();
    file.remove(key);
    return file.bytes();
}

std::string nersc_with_flipped_bit()
{
    NerscFile file = nersc();
    file.data = flipped(file.data, 7);
    return file.bytes();
}

std::string header_without_end()
{
    NerscFile file = nersc();
    file.end = "";
    file.data = std::string(70000, 'x');
    return file.bytes();
}

const std::vector<Corruption>& not_a_gauge_file()
{
    using namespace std::string_literals;
    static const std::vector<Corruption> table = {
        {"empty file", [] { return ""s; }, "empty file"},
        {"one byte", [] { return "B"s; },
         "none of ILDG and SciDAC (LIME), NERSC, MILC, openQCD, SZIN and HDF5"},
        {"text", [] { return "plaquette = 0.5\n"s; },
         "none of ILDG and SciDAC (LIME), NERSC, MILC, openQCD, SZIN and HDF5"},
        {"gzip", [] { return "\x1f\x8b\x08"s; }, "gzip compressed data is not supported"},
        {"byte-swapped LIME magic", [] { return "\xab\x89\x67\x45"s + std::string(140, '\0'); },
         "none of ILDG and SciDAC (LIME), NERSC, MILC, openQCD, SZIN and HDF5"},
    };
    return table;
}

const std::vector<Corruption>& nersc_headers()
{
    static const std::vector<Corruption> table = {
        {"header cut", [] { return nersc().bytes().substr(0, 100); }, "no END_HEADER"},
        {"only the first word", [] { return std::string("BEGIN_HEADER"); }, "no END_HEADER"},
        {"first line longer", [] { return "BEGIN_HEADERS" + nersc().bytes().substr(12); },
         "the first line is not BEGIN_HEADER"},
        {"header without end", header_without_end, "no END_HEADER"},
        {"line without =", [] { return nersc_with("A", "b\nDATATYPE\nC = d"); },
         "header line 'DATATYPE' is not KEY = VALUE"},
        {"key twice", [] { return nersc_with("A", "b\nDIMENSION_1 = 2"); },
         "has 'DIMENSION_1' twice"},
        {"no DATATYPE", [] { return nersc_without("DATATYPE"); }, "no DATATYPE"},
        {"no DIMENSION_3", [] { return nersc_without("DIMENSION_3"); }, "no DIMENSION_3"},
        {"no FLOATING_POINT", [] { return nersc_without("FLOATING_POINT"); }, "no FLOATING_POINT"},
        {"no CHECKSUM", [] { return nersc_without("CHECKSUM"); }, "no CHECKSUM"},
        {"SU(2)", [] { return nersc_with("DATATYPE", "4D_SU2_GAUGE"); },
         "DATATYPE = '4D_SU2_GAUGE'"},
        {"unknown floats", [] { return nersc_with("FLOATING_POINT", "IEEE16"); },
         "FLOATING_POINT = 'IEEE16'"},
        {"extent with letters", [] { return nersc_with("DIMENSION_1", "2x"); },
         "DIMENSION_1 = '2x'"},
        {"empty extent", [] { return nersc_with("DIMENSION_2", ""); }, "DIMENSION_2 = ''"},
        {"extent beyond any integer",
         [] { return nersc_with("DIMENSION_1", "99999999999999999999"); },
         "DIMENSION_1 = '99999999999999999999' is not a number up to"},
        {"zero extent", [] { return nersc_with("DIMENSION_1", "0"); }, "extent x of 0x4x2x2"},
        {"negative extent", [] { return nersc_with("DIMENSION_4", "-2"); }, "extent t of"},
        {"odd extent", [] { return nersc_with("DIMENSION_3", "3"); },
         "extent z of 2x4x3x2 must be even"},
        {"huge extent", [] { return nersc_with("DIMENSION_2", "2147483646"); }, "extent y of"},
        {"huge volume",
         [] {
             NerscFile file = nersc();
             for (int mu = 1; mu <= 4; ++mu) file["DIMENSION_" + std::to_string(mu)] = "4096";
             return file.bytes();
         },
         "sites"},
        {"checksum not hexadecimal", [] { return nersc_with("CHECKSUM", "xyz"); },
         "CHECKSUM = 'xyz'"},
        {"checksum too long", [] { return nersc_with("CHECKSUM", "123456789"); }, "CHECKSUM ="},
        {"control characters", [] { return nersc_with("FLOATING_POINT", "\x1b[31m\x07"); },
         "FLOATING_POINT = '?[31m?'"},
    };
    return table;
}

const std::vector<Corruption>& nersc_data()
{
    static const std::vector<Corruption> table = {
        {"no line end of END_HEADER, a byte more",
         [] {
             NerscFile file = nersc();
             file.end = "END_HEADER";
             return file.bytes() + 'x';
         },
         "trailing bytes"},
        {"no line end of END_HEADER, a byte less",
         [] {
             NerscFile file = nersc();
             file.end = "END_HEADER";
             return cut(file.bytes(), 1);
         },
         "truncated"},
        {"last byte missing", [] { return cut(nersc().bytes(), 1); }, "truncated"},
        {"last slice missing", [] { return cut(nersc().bytes(), 16 * 576); }, "truncated"},
        {"no data", [] { return cut(nersc().bytes(), 32 * 576); }, "truncated: 0 bytes"},
        {"trailing byte", [] { return nersc().bytes() + '\0'; }, "trailing bytes"},
        {"twice the data", [] { return nersc().bytes() + nersc().data; }, "trailing bytes"},
        {"larger lattice", [] { return nersc_with("DIMENSION_1", "4"); }, "truncated"},
        {"smaller lattice", [] { return nersc_with("DIMENSION_2", "2"); }, "trailing bytes"},
        {"two rows announced", [] { return nersc_with("DATATYPE", "4D_SU3_GAUGE"); },
         "trailing bytes"},
        {"32 bits announced", [] { return nersc_with("FLOATING_POINT", "IEEE32BIG"); },
         "trailing bytes"},
        {"other byte order announced", [] { return nersc_with("FLOATING_POINT", "IEEE64LITTLE"); },
         "only when read as big-endian, the format says little"},
        {"other byte order announced, two rows of 32 bits",
         [] { return nersc_file(good_field(), 2, 32, Order::little, "IEEE32BIG").bytes(); },
         "only when read as little-endian, the format says big"},
        {"a first link that is bad in both byte orders",
         [] { return nersc_file(with(0, 3), 3, 64, Order::little, "IEEE64").bytes(); },
         "site (0,0,0,0): link x is not"},
        {"wrong checksum", [] { return nersc_with("CHECKSUM", "1"); }, "wrong checksum"},
        {"wrong checksum, byte order not said",
         [] {
             NerscFile file = nersc_file(good_field(), 3, 64, Order::little, "IEEE64");
             file["CHECKSUM"] = "1";
             return file.bytes();
         },
         "wrong checksum"},
        {"one bit", nersc_with_flipped_bit, "wrong checksum"},
        {"wrong plaquette", [] { return nersc_with("PLAQUETTE", "0.25"); }, "wrong plaquette"},
        {"no plaquette and a wrong checksum",
         [] {
             NerscFile file = nersc();
             file.remove("PLAQUETTE");
             file["CHECKSUM"] = "1";
             return file.bytes();
         },
         "wrong checksum"},
        {"no plaquette and no checksum",
         [] {
             NerscFile file = nersc();
             file.remove("PLAQUETTE");
             file.remove("CHECKSUM");
             return file.bytes();
         },
         "no CHECKSUM"},
        {"links exchanged, checksum made right",
         [] { return nersc(with_exchanged_links()).bytes(); }, "wrong plaquette"},
        {"NaN", [] { return nersc(with(72 * 3 + 18 * 2 + 5, not_a_number)).bytes(); },
         "site (1,1,0,0): link z is not finite"},
        {"infinity in the last link", [] { return nersc(with(32 * 72 - 1, -infinity)).bytes(); },
         "site (1,3,1,1): link t is not finite"},
        {"huge number", [] { return nersc(with(0, 1e200)).bytes(); }, "link x is not finite"},
        {"NaN in two rows", [] { return nersc(with(3, not_a_number), 2).bytes(); },
         "link x is not finite"},
        {"zero link",
         [] {
             Field made = good_field();
             std::fill_n(made.links.begin() + 18, 18, 0.0);
             return nersc(made).bytes();
         },
         "site (0,0,0,0): link y is not unitary"},
        {"not unitary by 1e-8", [] { return nersc(with(0, good_field().links[0] + 1e-8)).bytes(); },
         "link x is not unitary"},
        {"not unitary, two rows",
         [] { return nersc(with(2, good_field().links[2] + 1e-7), 2).bytes(); },
         "link x is not unitary"},
        {"not unitary, 32 bits",
         [] {
             return nersc_file(with(0, good_field().links[0] + 1e-4), 3, 32, Order::little,
                               "IEEE32LITTLE")
                 .bytes();
         },
         "at most 1e-05 in a 32-bit file"},
        {"determinant -1", [] { return nersc(with_negative_link(6)).bytes(); },
         "site (1,0,0,0): link z has a determinant that is not 1"},
    };
    return table;
}

} // namespace

TEST_CASE("the NERSC files that are corrupted here are otherwise good", "[corrupt]")
{
    CHECK(load_bytes(nersc().bytes()).links == good_field().links);
    CHECK(load_bytes(nersc(good_field(), 2).bytes()).links == good_field().links);
}

TEST_CASE("END_HEADER may lack its line end", "[corrupt]")
{
    for (const char* end : {"END_HEADER", "  END_HEADER"}) {
        NerscFile file = nersc();
        file.end = end;
        const Field field = load_bytes(file.bytes());
        CHECK(field.links == good_field().links);
        REQUIRE(field.notes.size() == 1);
        CHECK_THAT(field.notes[0], Contains("END_HEADER has no line end"));
    }
}

TEST_CASE("averages that a writer got wrong are a note where the checksum is right", "[corrupt]")
{
    const GaugeObservables& o = good_field().observables;
    CHECK(load_bytes(nersc().bytes()).notes.empty());
    const auto check = [](const std::string& bytes, const std::string& what) {
        const Field field = load_bytes(bytes);
        CHECK(field.links == good_field().links);
        REQUIRE(field.notes.size() == 1);
        CHECK_THAT(field.notes[0], Contains("made: the checksum is right, but " + what));
        CHECK(field.notes[0].size() < 250);
    };
    check(nersc_without("PLAQUETTE"), "PLAQUETTE is missing, the links give");
    check(nersc_without("LINK_TRACE"), "LINK_TRACE is missing, the links give");
    for (const char* text : {"NOT yet implemented", "nan", "inf", "", "0", "0.000000"})
        check(nersc_with("PLAQUETTE", text), "PLAQUETTE is");
    for (const double other : {3 * o.plaquette_total, 1 - o.plaquette_total, o.link_trace})
        check(nersc_with("PLAQUETTE", fmt::format("{:.10f}", other)), "PLAQUETTE is");
    check(nersc_with("LINK_TRACE", "0"), "LINK_TRACE is");
    for (const double other : {0.0, 1.5, 0.25, 3 * o.link_trace, o.plaquette_total})
        check(nersc_with("LINK_TRACE", fmt::format("{:.10f}", other)), "LINK_TRACE is");
    NerscFile both = nersc();
    std::swap(both["PLAQUETTE"], both["LINK_TRACE"]);
    check(both.bytes(), "PLAQUETTE is");
    CHECK_THAT(load_bytes(both.bytes()).notes[0], Contains("; LINK_TRACE is"));
}

TEST_CASE("what is no gauge file is refused", "[corrupt]")
{
    check_all_refused(not_a_gauge_file());
}
TEST_CASE("corrupted NERSC headers are refused", "[corrupt]")
{
    check_all_refused(nersc_headers());
}
TEST_CASE("corrupted NERSC data are refused", "[corrupt]") { check_all_refused(nersc_data()); }

TEST_CASE("a NERSC file cut anywhere is refused", "[corrupt]")
{
    check_truncations_refused(nersc().bytes());
}

TEST_CASE("no flipped bit of a link passes unseen", "[corrupt]")
{
    // In the links every bit matters; in a header some do not (labels, blanks).
    const std::string bytes = nersc().bytes();
    for (std::size_t at = bytes.size() - 32 * 576; at < bytes.size(); at += 5)
        CHECK_THROWS_AS(load_bytes(flipped(bytes, at)), Error);
}

TEST_CASE("a bad first row is refused before a slice is asked for", "[corrupt]")
{
    const Scratch folder;
    const auto open = [&](const Field& field) {
        write_text(folder / "f", nersc(field).bytes());
        return open_gauge(folder / "f", good_lattice);
    };
    CHECK_THROWS_WITH(open(with(72 + 18, not_a_number)), Contains("site (1,0,0,0): link y"));
    CHECK_NOTHROW(open(with(2 * 72, not_a_number))); // in the second row
    // A file of the right size with nothing in it.
    write_text(folder / "f", nersc().bytes().substr(0, nersc().bytes().size() - 32 * 576));
    std::filesystem::resize_file(folder / "f", nersc().bytes().size());
    CHECK_THROWS_WITH(open_gauge(folder / "f", good_lattice), Contains("link x is not unitary"));
}

TEST_CASE("a lattice that disagrees with the file is refused", "[corrupt]")
{
    const Scratch folder;
    write_text(folder / "f", nersc().bytes());
    CHECK_NOTHROW(open_gauge(folder / "f", good_lattice));
    CHECK_THROWS_WITH(open_gauge(folder / "f", Extents{4, 2, 2, 2}),
                      Contains("the file's lattice is 2x4x2x2, not 4x2x2x2"));
}

TEST_CASE("paths that are no regular file are refused", "[corrupt]")
{
    const Scratch folder;
    CHECK_THROWS_WITH(open_gauge(folder.path().string(), good_lattice),
                      Contains("a folder, not a file"));
    REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
    CHECK_THROWS_WITH(open_gauge(folder / "pipe", good_lattice), Contains("a pipe"));
    CHECK_THROWS_WITH(open_gauge("/dev/zero", good_lattice), Contains("not a regular file"));
    CHECK_THROWS_WITH(open_gauge(folder / "none", good_lattice), Contains("No such file"));
    CHECK_THROWS_AS(open_gauge("", good_lattice), Error);
}

TEST_CASE("a file that shrinks while it is read is refused", "[corrupt]")
{
    const Scratch folder;
    const std::string bytes = nersc().bytes(), path = folder / "f";
    write_text(path, bytes);
    const auto source = open_gauge(path, good_lattice);
    write_text(path, cut(bytes, 100));
    CHECK_THROWS_WITH(load(*source), Contains("ended at byte"));
}
