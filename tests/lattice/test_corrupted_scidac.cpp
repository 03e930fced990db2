// SciDAC files that must be refused, each with the reason. All are made here.

#include "base/error.hpp"
#include "tests/lattice/corruption.hpp"

#include <catch2/catch.hpp>

using namespace qcd;
using namespace qcd::test;
using Catch::Contains;

namespace
{

LimeFile scidac(const Field& made = good_field()) { return scidac_file(made, 64); }

std::string with_text(const char* type, const std::string& from, const std::string& to)
{
    LimeFile file = scidac();
    file[type].data = replaced(file[type].data, from, to);
    return file.bytes();
}
std::string file_with(const std::string& from, const std::string& to)
{
    return with_text("scidac-private-file-xml", from, to);
}
std::string record_with(const std::string& from, const std::string& to)
{
    return with_text("scidac-private-record-xml", from, to);
}
std::string record_as(const std::string& datatype, int typesize, int datacount)
{
    LimeFile file = scidac();
    file["scidac-private-record-xml"].data = scidac_record_text(datatype, 64, typesize, datacount);
    return file.bytes();
}
std::string without(const std::string& type)
{
    LimeFile file = scidac();
    file.remove(type);
    return file.bytes();
}
std::string twice(const std::string& type)
{
    LimeFile file = scidac();
    const LimeRecord copy = file[type];
    for (std::size_t i = 0; i < file.records.size(); ++i)
        if (file.records[i].type == type) {
            file.records.insert(file.records.begin() + long(i), copy);
            break;
        }
    return file.bytes();
}

const std::vector<Corruption>& scidac_files()
{
    static const std::vector<Corruption> table = {
        {"no private file", [] { return without("scidac-private-file-xml"); },
         "no scidac-private-file-xml record"},
        {"no private record", [] { return without("scidac-private-record-xml"); },
         "without an ildg-binary-data"},
        {"no data", [] { return without("scidac-binary-data"); },
         "a scidac-private-record-xml without data"},
        {"private file twice", [] { return twice("scidac-private-file-xml"); },
         "a second scidac-private-file-xml"},
        {"private record twice", [] { return twice("scidac-private-record-xml"); },
         "a second scidac-private-record-xml"},
        {"data twice", [] { return twice("scidac-binary-data"); }, "a second scidac-binary-data"},
        {"checksum twice", [] { return twice("scidac-checksum"); }, "a second scidac-checksum"},
        {"two fields",
         [] {
             LimeFile file = scidac();
             const LimeFile other = scidac();
             file.records.insert(file.records.end(), other.records.begin() + 2,
                                 other.records.end());
             return file.bytes();
         },
         "SciDAC file of 2 gauge fields: --gauge-number says which, from 0 to 1"},
        {"global data alone", [] { return record_with("<recordtype>0", "<recordtype>1"); },
         "SciDAC file of 0 fields, none of them a gauge field"},
        {"no dims", [] { return file_with("<dims>", "<dim>"); }, "bad XML"},
        {"three dims", [] { return file_with("2 4 2 2 ", "2 4 2 "); }, "expected four extents"},
        {"five dims", [] { return file_with("2 4 2 2 ", "2 4 2 2 2"); }, "expected four extents"},
        {"dims in words", [] { return file_with("2 4 2 2 ", "2 4 two 2"); },
         "expected four extents"},
        {"odd extent", [] { return file_with("2 4 2 2 ", "2 5 2 2"); }, "must be even"},
        {"negative extent", [] { return file_with("2 4 2 2 ", "-2 4 2 2"); }, "must be even"},
        {"huge lattice", [] { return file_with("2 4 2 2 ", "4096 4096 4096 4096"); }, "sites"},
        {"larger lattice", [] { return file_with("2 4 2 2 ", "2 4 2 4"); }, "wrong size"},
        {"five dimensions", [] { return file_with("<spacetime>4", "<spacetime>5"); },
         "<spacetime> is '5'"},
        {"partfile", [] { return file_with("<volfmt>0", "<volfmt>2"); }, "a part of the sites"},
        {"volfmt in words", [] { return file_with("<volfmt>0", "<volfmt>x"); },
         "expected a whole number"},
        {"multifile", [] { return file_with("<volfmt>0</volfmt>", "<multifile>8</multifile>"); },
         "a part of the sites"},
        {"site list",
         [] {
             LimeFile file = scidac();
             file.records.insert(file.records.begin() + 1, {"scidac-sitelist", "12345678", 0});
             return file.bytes();
         },
         "has a list of sites"},
        {"version 2", [] { return record_with("<version>1.1", "<version>2.0"); },
         "<version> is '2.0'"},
        {"wrong root", [] { return record_with("<scidacRecord>", "<scidacFile>"); }, "closed by"},
        {"no precision", [] { return record_with("<precision>D</precision>", ""); },
         "no element <precision>"},
        {"precision I", [] { return record_with("<precision>D", "<precision>I"); },
         "<precision> is 'I', expected F or D"},
        {"precision F of 64", [] { return record_with("<precision>D", "<precision>F"); },
         "not a gauge field"},
        {"two data a site", [] { return record_with("<datacount>4", "<datacount>2"); },
         "wrong size"},
        {"huge typesize",
         [] { return record_with("<typesize>144", "<typesize>18446744073709551615"); },
         "18446744073709551615 bytes at a site"},
        {"spinors",
         [] {
             LimeFile file = scidac();
             file["scidac-private-record-xml"].data =
                 scidac_record_text("USQCD_D3_DiracFermion", 64, 192, 1);
             LimeRecord& data = file["scidac-binary-data"];
             data.data = data.data.substr(0, 192 * 32);
             file.remove("scidac-checksum");
             return file.bytes();
         },
         "SciDAC file of 'USQCD_D3_DiracFermion', 192 bytes a site: not a gauge field"},
        // With the bytes a site of four links.
        {"three spinors", [] { return record_as("QUDA_DNs4Nc3_ColorSpinorField", 192, 3); },
         "'QUDA_DNs4Nc3_ColorSpinorField', 3 of 192 bytes a site: not a gauge field"},
        {"three spinors without a name", [] { return record_as("Lattice", 192, 3); },
         "'Lattice', 3 of 192 bytes a site: not a gauge field"},
        {"vectors", [] { return record_as("QDP_D3_ColorVector", 48, 12); },
         "'QDP_D3_ColorVector', 12 of 48 bytes a site: not a gauge field, nor spinors"},
        {"numbers called matrices", [] { return record_as("QDP_D3_ColorMatrix", 16, 36); },
         "'QDP_D3_ColorMatrix', 36 of 16 bytes a site: not a gauge field, nor spinors"},
        {"a spinor of matrices",
         [] { return record_as("GRID_D_SpinVector4_ColourMatrix3", 576, 1); },
         "'GRID_D_SpinVector4_ColourMatrix3', 576 bytes a site: not a gauge field, nor spinors"},
        {"matrices called vectors", [] { return record_as("QDP_D3_ColorVector", 144, 4); },
         "'QDP_D3_ColorVector', 4 of 144 bytes a site: not a gauge field, nor spinors"},
        {"wrong sums",
         [] {
             LimeFile file = scidac();
             file["scidac-checksum"].data = "<scidacChecksum><version>1.0</version><suma>1</suma>"
                                            "<sumb>2</sumb></scidacChecksum>";
             return file.bytes();
         },
         "wrong SciDAC checksum: the file says 00000001 00000002"},
        {"one bit",
         [] {
             LimeFile file = scidac();
             file["scidac-binary-data"].data = flipped(file["scidac-binary-data"].data, 7);
             return file.bytes();
         },
         "wrong SciDAC checksum"},
        {"little-endian",
         [] {
             LimeFile file = scidac();
             file["scidac-binary-data"].data = encode(good_field().links, 64, Order::little);
             return file.bytes();
         },
         "only when read as little-endian, the format says big"},
        {"NaN", [] { return scidac(with(18, not_a_number)).bytes(); }, "link y is not finite"},
        {"not unitary", [] { return scidac(with(18, 0.9)).bytes(); }, "link y is not unitary"},
    };
    return table;
}

} // namespace

TEST_CASE("the SciDAC files that are corrupted here are otherwise good", "[corrupt]")
{
    CHECK(load_bytes(scidac().bytes()).links == good_field().links);
}

TEST_CASE("corrupted SciDAC files are refused", "[corrupt]") { check_all_refused(scidac_files()); }

TEST_CASE("what Grid calls ildg-binary-data is what its record says, whatever lattice is asked for",
          "[corrupt]")
{
    LimeFile file = scidac();
    file["scidac-binary-data"].type = "ildg-binary-data";
    std::string& record = file["scidac-private-record-xml"].data;
    record = scidac_record_text("GRID_D_LorentzVector4_ColourMatrix3", 64, 144, 4);
    CHECK(load_bytes(file.bytes(), good_lattice).links == good_field().links);
    record = scidac_record_text("GRID_D_SpinVector4_ColourVector3", 64, 192, 3);
    const auto refused = Contains("'GRID_D_SpinVector4_ColourVector3', 3 of 192 bytes a site: not "
                                  "a gauge field");
    CHECK_THROWS_WITH(load_bytes(file.bytes(), good_lattice), refused);
    file.remove("scidac-private-file-xml"); // so that only the caller says the lattice
    CHECK_THROWS_WITH(load_bytes(file.bytes(), good_lattice), refused);
}

TEST_CASE("a SciDAC file cut anywhere is refused", "[corrupt]")
{
    const LimeFile file = scidac();
    const std::size_t padding = (8 - file.records.back().data.size() % 8) % 8;
    const std::string bytes = cut(file.bytes(), padding);
    check_truncations_refused(cut(bytes, 144 + file.records.back().data.size()));
    // Cut right after its links, it has no checksum; cut behind that, it is refused.
    for (std::size_t size = bytes.size() - file.records.back().data.size() - 143;
         size < bytes.size(); ++size)
        CHECK_THROWS_AS(load_bytes(bytes.substr(0, size)), Error);
}
