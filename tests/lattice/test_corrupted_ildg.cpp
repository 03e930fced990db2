// ILDG files that must be refused, each with the reason. All are made here.

#include "tests/lattice/corruption.hpp"

#include <catch2/catch.hpp>

using namespace qcd;
using namespace qcd::test;
using Catch::Contains;

namespace
{

LimeFile ildg(const Field& made = good_field()) { return ildg_file(made, 64); }

std::string ildg_with(const std::string& from, const std::string& to)
{
    LimeFile file = ildg();
    file["ildg-format"].data = replaced(file["ildg-format"].data, from, to);
    return file.bytes();
}
std::string checksum_with(const std::string& from, const std::string& to)
{
    LimeFile file = ildg();
    file["scidac-checksum"].data = replaced(file["scidac-checksum"].data, from, to);
    return file.bytes();
}
std::string ildg_without(const std::string& type)
{
    LimeFile file = ildg();
    file.remove(type);
    return file.bytes();
}
std::string ildg_twice(const std::string& type)
{
    LimeFile file = ildg();
    file.records.push_back(LimeRecord(file[type]));
    return file.bytes();
}

/// Where the header of the LIME record with the links begins.
std::size_t data_record(const std::string& bytes) { return bytes.find("ildg-binary-data") - 16; }

/// Ends where the data of the last record do.
std::string ildg_without_padding()
{
    const LimeFile file = ildg();
    const std::size_t padding = (8 - file.records.back().data.size() % 8) % 8;
    return cut(file.bytes(), padding);
}

/// One bit of the least significant byte of the first link's first number: in SU(3) as before.
std::string ildg_with_flipped_bit()
{
    const std::string bytes = ildg().bytes();
    return flipped(bytes, data_record(bytes) + 144 + 7);
}

const std::vector<Corruption>& lime_chains()
{
    static const std::vector<Corruption> table = {
        {"half a record header", [] { return ildg().bytes().substr(0, 100); },
         "byte 0: truncated or trailing bytes"},
        {"cut in the format", [] { return ildg().bytes().substr(0, 400); }, "truncated"},
        {"cut in the links",
         [] {
             const std::string bytes = ildg().bytes();
             return bytes.substr(0, data_record(bytes) + 5000);
         },
         "truncated: 'ildg-binary-data'"},
        {"last record cut", [] { return cut(ildg_without_padding(), 1); },
         "truncated: 'scidac-checksum'"},
        {"padding cut in the middle",
         [] {
             std::string bytes = ildg().bytes();
             return bytes.erase(data_record(bytes) - 1, 1);
         },
         "wrong magic number"},
        {"trailing byte", [] { return ildg().bytes() + 'x'; }, "trailing bytes"},
        {"trailing zeros", [] { return ildg().bytes() + std::string(512, '\0'); },
         "wrong magic number (trailing bytes"},
        {"wrong magic in the middle",
         [] {
             const std::string bytes = ildg().bytes();
             return flipped(bytes, data_record(bytes));
         },
         "wrong magic number"},
        {"version 0", [] { return patched(ildg().bytes(), 5, std::string(1, '\0')); },
         "unknown version 0, as the converter of qcdutils writes it"},
        {"SciDAC's data, without what says their size",
         [] {
             LimeFile file = ildg();
             file["ildg-binary-data"].type = "scidac-binary-data";
             return file.bytes();
         },
         "without an ildg-binary-data record"},
        {"version 2", [] { return patched(ildg().bytes(), 5, "\x02"); }, "unknown version 2"},
        {"length 2^64-1", [] { return patched(ildg().bytes(), 8, std::string(8, '\xff')); },
         "truncated: 'xlf-info' of 18446744073709551615 bytes"},
        {"length 2^63", [] { return patched(ildg().bytes(), 8, "\x80"); }, "truncated: 'xlf-info'"},
        {"length off by 8",
         [] {
             const std::string bytes = ildg().bytes();
             return patched(bytes, data_record(bytes) + 15, "\x08");
         },
         "wrong magic number"},
        {"type without end", [] { return patched(ildg().bytes(), 16, std::string(128, 't')); },
         "the type name has no end"},
        {"no ildg-format", [] { return ildg_without("ildg-format"); },
         "links are of; --lattice XxYxZxT would"},
        {"no ildg-binary-data", [] { return ildg_without("ildg-binary-data"); },
         "without an ildg-binary-data record"},
        {"two ildg-format", [] { return ildg_twice("ildg-format"); }, "more than one ildg-format"},
        {"two ildg-binary-data", [] { return ildg_twice("ildg-binary-data"); },
         "more than one ildg-binary-data"},
        {"two scidac-checksum", [] { return ildg_twice("scidac-checksum"); },
         "more than one scidac-checksum"},
    };
    return table;
}

const std::vector<Corruption>& ildg_contents()
{
    static const std::vector<Corruption> table = {
        {"no version", [] { return ildg_with("<version>1.0</version>", ""); },
         "no element <version>"},
        {"version 2", [] { return ildg_with("1.0</version>", "2.0</version>"); },
         "<version> is '2.0'"},
        {"SU(2)", [] { return ildg_with("su3gauge", "su2gauge"); }, "<field> is 'su2gauge'"},
        {"precision 16", [] { return ildg_with("64", "16"); }, "<precision> is '16'"},
        {"precision 32 of 64", [] { return ildg_with("64", "32"); }, "wrong size"},
        {"no lt", [] { return ildg_with("<lt>2</lt>", ""); }, "no element <lt>"},
        {"lx twice", [] { return ildg_with("<lx>2</lx>", "<lx>2</lx><lx>2</lx>"); },
         "'lx' appears twice"},
        {"empty lx", [] { return ildg_with("<lx>2</lx>", "<lx/>"); }, "<lx> is ''"},
        {"lx in words", [] { return ildg_with("<lx>2", "<lx>two"); }, "<lx> is 'two'"},
        {"odd ly", [] { return ildg_with("<ly>4", "<ly>5"); }, "extent y of 2x5x2x2 must be even"},
        {"zero lt", [] { return ildg_with("<lt>2", "<lt>0"); }, "extent t of"},
        {"huge lz", [] { return ildg_with("<lz>2", "<lz>9999999999"); }, "<lz> is '9999999999'"},
        {"larger lattice", [] { return ildg_with("<lz>2", "<lz>4"); }, "wrong size"},
        {"unknown element",
         [] { return ildg_with("</ildgFormat>", "<rows>2</rows></ildgFormat>"); },
         "unknown element 'rows'"},
        {"nested element", [] { return ildg_with("<lx>2</lx>", "<lx><b>2</b></lx>"); },
         "element 'b' inside 'lx'"},
        {"wrong root", [] { return ildg_with("<ildgFormat>\n", "<ildg><ildgFormat/></ildg>"); },
         "text after the root"},
        {"other root",
         [] {
             LimeFile file = ildg();
             file["ildg-format"].data = "<scidacChecksum/>";
             return file.bytes();
         },
         "root element 'scidacChecksum'"},
        {"root not closed", [] { return ildg_with("</ildgFormat>", ""); },
         "ends inside an element"},
        {"crossed tags", [] { return ildg_with("</lx>", "</ly>"); }, "'lx' is closed by 'ly'"},
        {"attribute without quotes", [] { return ildg_with("<lx>", "<lx a=1>"); },
         "without quotes"},
        {"a quote and a > missing", [] { return ildg_with("<ildgFormat>", "<ildgFormat a=\"b"); },
         "bad XML: no \" before"},
        {"a quote missing, and text behind it",
         [] { return ildg_with("<ildgFormat>", "<ildgFormat a=\"b> c"); }, "text between elements"},
        {"entity", [] { return ildg_with("su3gauge", "&x;"); }, "entity"},
        {"unclosed comment", [] { return ildg_with("<lx>", "<!-- <lx>"); },
         "no --> before the end"},
        {"DOCTYPE", [] { return ildg_with("<ildgFormat>", "<!DOCTYPE x><ildgFormat>"); },
         "bad XML"},
        {"text after the root", [] { return ildg_with("</ildgFormat>", "</ildgFormat>x"); },
         "text after the root element"},
        {"format of 100 kB", [] { return ildg_with("<lx>", std::string(100000, ' ') + "<lx>"); },
         "bytes, at most"},
        {"empty format",
         [] {
             LimeFile file = ildg();
             file["ildg-format"].data = "";
             return file.bytes();
         },
         "bad XML: it ends inside an element"},
        {"no sumb", [] { return checksum_with("sumb>", "sumc>"); }, "bad XML"},
        {"suma not hexadecimal", [] { return checksum_with("<suma>", "<suma>x"); }, "<suma> is"},
        {"wrong sums",
         [] {
             LimeFile file = ildg();
             file["scidac-checksum"].data = "<scidacChecksum><version>1.0</version><suma>1</"
                                            "suma><sumb>2</sumb></scidacChecksum>";
             return file.bytes();
         },
         "wrong SciDAC checksum: the file says 00000001 00000002"},
        {"one bit", ildg_with_flipped_bit, "wrong SciDAC checksum"},
        {"little-endian",
         [] {
             LimeFile file = ildg();
             LimeRecord& data = file["ildg-binary-data"];
             data.data = encode(good_field().links, 64, Order::little);
             return file.bytes();
         },
         "site (0,0,0,0): the links are in SU(3) only when read as little-endian, the format says "
         "big"},
        {"NaN", [] { return ildg(with(18, not_a_number)).bytes(); },
         "site (0,0,0,0): link y is not finite"},
        {"not unitary", [] { return ildg(with(18, 0.9)).bytes(); }, "link y is not unitary"},
        {"determinant -1", [] { return ildg(with_negative_link(3)).bytes(); }, "determinant"},
    };
    return table;
}

} // namespace

TEST_CASE("the ILDG files that are corrupted here are otherwise good", "[corrupt]")
{
    CHECK(load_bytes(ildg().bytes()).links == good_field().links);
}

TEST_CASE("a format record that lacks what the links show is read", "[gauge file]")
{
    const auto check = [](const std::string& from, const std::string& to, const char* note) {
        const Field field = load_bytes(ildg_with(from, to));
        CHECK(field.links == good_field().links);
        REQUIRE(field.notes.size() == 1);
        CHECK_THAT(field.notes[0], Contains(note));
    };
    check("<field>su3gauge</field>", "", "made: ildg-format: no element <field>, read as su3gauge");
    for (const char* root :
         {"<ildgFormat xmlns=\"http://x y=\"z\">", "<ildgFormat xmlns=\"http://x>",
          "<ildgFormat xmlns=http://x>", "<ildgFormat xmlns>", "<ildgFormat a=\"b\" c=\"d >\n"})
        check("<ildgFormat>", root, "made: ildg-format: the attributes of its root element");
}

TEST_CASE("links without an ildg-format record are read as of the lattice asked for",
          "[gauge file]")
{
    const int bits = GENERATE(32, 64);
    LimeFile file = ildg_file(good_field(), bits);
    file.records = {file["ildg-binary-data"]};
    const Field field = load_bytes(file.bytes(), good_lattice);
    CHECK(field.links == (bits == 64 ? good_field().links : rounded(good_field().links)));
    REQUIRE(field.notes.size() == 1);
    CHECK_THAT(field.notes[0],
               Contains("made: no ildg-format record: that the lattice is 2x4x2x2"));
    CHECK_THROWS_WITH(load_bytes(file.bytes(), Extents{2, 4, 2, 8}), Contains("wrong size"));
    // 64 bits of a lattice are 32 of one twice as large.
    CHECK_THROWS_WITH(load_bytes(file.bytes(), Extents{2, 4, 2, 4}),
                      Contains(bits == 64 ? "link x is not" : "wrong size"));
    CHECK_THROWS_WITH(load_bytes(file.bytes(), Extents{1, 4, 4, 2}), Contains("must be even"));
    LimeRecord& data = file["ildg-binary-data"];
    data.data.pop_back();
    CHECK_THROWS_WITH(load_bytes(file.bytes(), good_lattice), Contains("wrong size"));
}

TEST_CASE("the last record of a LIME file may lack its padding", "[gauge file]")
{
    REQUIRE(ildg_without_padding().size() < ildg().bytes().size());
    for (std::string bytes = ildg().bytes(); bytes.size() >= ildg_without_padding().size();
         bytes.pop_back())
        CHECK(load_bytes(bytes).links == good_field().links);
    LimeFile file = ildg();
    file.records.push_back({"gpt-format", "x"});
    CHECK(load_bytes(cut(file.bytes(), 7)).links == good_field().links);
    file.remove("gpt-format"); // a data record that comes last
    std::swap(file.records[2], file.records[4]);
    CHECK(load_bytes(file.bytes()).links == good_field().links);
}

TEST_CASE("corrupted LIME chains are refused", "[corrupt]") { check_all_refused(lime_chains()); }
TEST_CASE("corrupted ILDG contents are refused", "[corrupt]")
{
    check_all_refused(ildg_contents());
}

TEST_CASE("an ILDG file cut anywhere is refused", "[corrupt]")
{
    check_truncations_refused(ildg_without_padding());
}
