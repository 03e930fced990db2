// Files of spinors that must be refused, each with the reason. All are made here.

#include "base/error.hpp"
#include "tests/lattice/corruption.hpp"
#include "tests/lattice/made_spinors.hpp"

#include <catch2/catch.hpp>

using namespace qcd;
using namespace qcd::test;

namespace
{

void load_spinors(const std::string& bytes) { open_spinors(bytes).verify(); }

LimeFile one_spinor(int bits = 64)
{
    return scidac_spinor_file({random_spinor(made_spinor_lattice, 1)}, bits, {"<a/>"});
}

std::string spinor_with(const std::function<void(LimeFile&)>& change)
{
    LimeFile file = one_spinor();
    change(file);
    return file.bytes();
}

std::string etmc_with(const std::function<void(LimeFile&)>& change)
{
    LimeFile file = etmc_file({random_spinor(made_spinor_lattice, 1)}, 64, "DiracFermion_Sink");
    change(file);
    return file.bytes();
}

std::string etmc_text(const std::string& from, const std::string& to)
{
    return etmc_with([&](LimeFile& f) {
        f["etmc-propagator-format"].data = replaced(f["etmc-propagator-format"].data, from, to);
    });
}

/// A record of so many data of so many complex numbers.
std::string record_of(const std::string& datatype, int complex_numbers, int count,
                      const std::string& user_xml = "<a/>")
{
    const std::size_t sites = std::size_t(volume(made_spinor_lattice));
    const Numbers numbers(2 * sites * std::size_t(complex_numbers * count), 0.5);
    LimeFile file = scidac_spinor_file({numbers}, 64, {user_xml});
    file["scidac-private-record-xml"].data =
        scidac_record_text(datatype, 64, 16 * complex_numbers, count);
    file["scidac-checksum"].data = scidac_checksum_text(
        file["scidac-binary-data"].data, std::size_t(16) * std::size_t(complex_numbers * count));
    return file.bytes();
}

std::string twelve_with(const std::function<void(LimeFile&)>& change)
{
    std::vector<std::string> texts;
    for (int i = 0; i < 12; ++i) texts.push_back(usqcd_text(i));
    LimeFile file = scidac_spinor_file(random_propagator(made_spinor_lattice, 2), 32, texts);
    change(file);
    return file.bytes();
}

const std::vector<Corruption>& scidac_spinors()
{
    using namespace std::string_literals;
    static const std::vector<Corruption> table = {
        {"empty file", [] { return ""s; }, "empty file"},
        {"text", [] { return "spinor"s; }, "not a file of spinors"},
        {"a gauge field",
         [] { return scidac_file(load_spec("unit", made_spinor_lattice), 64).bytes(); },
         "'QDP_D3_ColorMatrix', 4 of 144 bytes a site: neither spinors nor a propagator"},
        {"an ILDG gauge field",
         [] { return ildg_file(load_spec("unit", made_spinor_lattice), 64).bytes(); },
         "LIME with the records of neither SciDAC nor tmLQCD"},
        {"another lattice",
         [] {
             return spinor_with([](LimeFile& f) {
                 f["scidac-private-file-xml"].data = scidac_file_text({2, 4, 6, 2});
             });
         },
         "the file's lattice is 2x4x6x2, not 4x2x6x2"},
        {"larger lattice",
         [] {
             return spinor_with([](LimeFile& f) {
                 f["scidac-private-file-xml"].data = scidac_file_text({4, 2, 6, 4});
             });
         },
         "wrong size"},
        {"precision",
         [] {
             return spinor_with([](LimeFile& f) {
                 std::string& xml = f["scidac-private-record-xml"].data;
                 xml = replaced(xml, "<precision>D", "<precision>F");
             });
         },
         "'USQCD_D3_DiracFermion', 192 bytes a site: neither spinors nor a propagator"},
        {"no fields",
         [] {
             return spinor_with([](LimeFile& f) {
                 std::string& xml = f["scidac-private-record-xml"].data;
                 xml = replaced(xml, "<recordtype>0", "<recordtype>1");
             });
         },
         "no field of spinors"},
        {"one bit",
         [] {
             return spinor_with([](LimeFile& f) {
                 f["scidac-binary-data"].data = flipped(f["scidac-binary-data"].data, 1000);
             });
         },
         "wrong SciDAC checksum"},
        {"wrong sums",
         [] {
             return spinor_with([](LimeFile& f) {
                 f["scidac-checksum"].data = "<scidacChecksum><version>1.0</version>"
                                             "<suma>1</suma><sumb>2</sumb></scidacChecksum>";
             });
         },
         "wrong SciDAC checksum: the file says 00000001 00000002"},
        {"NaN",
         [] {
             Numbers psi = random_spinor(made_spinor_lattice, 1);
             psi[24 * 9 + 5] = not_a_number;
             return scidac_spinor_file({psi}, 64, {""}).bytes();
         },
         "site (1,0,1,0): a number is not finite"},
        {"unknown basis",
         [] {
             return spinor_with([](LimeFile& f) {
                 f["scidac-record-xml"].data = "<spinBasis>majorana</spinBasis>";
             });
         },
         "<spinBasis> 'majorana' is not known"},
        {"two bases",
         [] {
             return spinor_with([](LimeFile& f) {
                 f["scidac-file-xml"].data = "<spinBasis>dirac</spinBasis>";
                 f["scidac-record-xml"].data = "<spinBasis>chiral</spinBasis>";
             });
         },
         "several spin bases"},
        {"wrong digest",
         [] {
             return spinor_with([](LimeFile& f) {
                 f["scidac-record-xml"].data = "<digest>0123456789abcdef</digest>";
             });
         },
         "wrong digest: the file says 0123456789abcdef"},
        {"short digest",
         [] {
             return spinor_with(
                 [](LimeFile& f) { f["scidac-record-xml"].data = "<digest>0123</digest>"; });
         },
         "<digest> '0123' is not 16 hexadecimal digits"},
        {"kinds mixed",
         [] {
             LimeFile file = one_spinor(64);
             const LimeFile other = one_spinor(32);
             file.records.insert(file.records.end(), other.records.begin() + 2,
                                 other.records.end());
             return file.bytes();
         },
         "fields of different kinds"},
        // With the bytes a site of spinors or of a propagator.
        {"colour vectors", [] { return record_of("QDP_D3_ColorVector", 3, 4); },
         "'QDP_D3_ColorVector', 4 of 48 bytes a site: neither spinors nor a propagator"},
        {"colour vectors without a name", [] { return record_of("Lattice", 3, 48); },
         "'Lattice', 48 of 48 bytes a site: neither spinors nor a propagator"},
        {"half spinors", [] { return record_of("QDP_D3_HalfFermion", 6, 2); },
         "'QDP_D3_HalfFermion', 2 of 96 bytes a site: neither"},
        {"matrices", [] { return record_of("QDP_D3_ColorMatrix", 9, 16); },
         "'QDP_D3_ColorMatrix', 16 of 144 bytes a site: neither"},
        {"numbers", [] { return record_of("QDP_D3_Complex", 1, 144); },
         "'QDP_D3_Complex', 144 of 16 bytes a site: neither"},
        {"numbers without a name", [] { return record_of("Lattice", 1, 12); },
         "'Lattice', 12 of 16 bytes a site: neither"},
        {"vectors of twelve colours", [] { return record_of("QDP_DN_ColorVector", 12, 1); },
         "'QDP_DN_ColorVector', 192 bytes a site: neither"},
        {"a multigrid's vectors", [] { return record_of("QUDA_DNs2Nc6_ColorSpinorField", 12, 1); },
         "'QUDA_DNs2Nc6_ColorSpinorField', 192 bytes a site: neither"},
        {"matrices of twelve colours", [] { return record_of("QDP_DN_ColorMatrix", 144, 1); },
         "'QDP_DN_ColorMatrix', 2304 bytes a site: neither"},
        {"another tensor of Grid's",
         [] { return record_of("GRID_D_SpinMatrix4_ColourVector3", 12, 4); },
         "'GRID_D_SpinMatrix4_ColourVector3', 4 of 192 bytes a site: neither"},
        {"a spinor called a propagator",
         [] { return record_of("USQCD_D3_DiracPropagator", 12, 12); },
         "'USQCD_D3_DiracPropagator', 12 of 192 bytes a site: neither"},
        {"a propagator called a spinor", [] { return record_of("USQCD_D3_DiracFermion", 144, 1); },
         "'USQCD_D3_DiracFermion', 2304 bytes a site: neither"},
        {"two propagators", [] { return record_of("Lattice", 144, 2); },
         "'Lattice', 2 of 2304 bytes a site: 2 propagators in a record"},
        {"no spinor", [] { return record_of("Lattice", 12, 0); }, "0 spinors in a record"},
        {"too many spinors", [] { return record_of("Lattice", 12, 4097); },
         "4097 spinors in a record"},
        {"several spinors of one source",
         [] { return record_of("Lattice", 12, 12, usqcd_text(4)); },
         "12 spinors in a record that says one source"},
        {"one parity",
         [] {
             return record_of("QUDA_DNs4Nc3_ColorSpinorField", 12, 2,
                              "<info><subset>parity</subset></info>");
         },
         "spinors on the sites of one parity"},
        {"a record of spinors and one of a propagator",
         [] {
             LimeFile file = one_spinor();
             const LimeFile other =
                 chroma_propagator(random_propagator(made_spinor_lattice, 1), 64);
             file.records.insert(file.records.end(), other.records.begin() + 2,
                                 other.records.end());
             return file.bytes();
         },
         "fields of different kinds"},
        {"a bit of the last of several spinors",
         [] {
             LimeFile file = packed_spinors(random_propagator(made_spinor_lattice, 1), 64,
                                            "QUDA_DNs4Nc3_ColorSpinorField");
             std::string& data = file["scidac-binary-data"].data;
             data = flipped(data, data.size() - 1);
             return file.bytes();
         },
         "wrong SciDAC checksum"},
        {"a source twice",
         [] {
             return twelve_with([](LimeFile& f) { f.records[2 + 4 * 5 + 1].data = usqcd_text(4); });
         },
         "of the same source"},
        {"trailing byte", [] { return one_spinor().bytes() + 'x'; }, "trailing bytes"},
    };
    return table;
}

const std::vector<Corruption>& etmc_spinors()
{
    static const std::vector<Corruption> table = {
        {"no data", [] { return etmc_with([](LimeFile& f) { f.remove("scidac-binary-data"); }); },
         "a scidac-checksum record without data"},
        {"neither data nor sums",
         [] {
             return etmc_with([](LimeFile& f) {
                 f.remove("scidac-binary-data");
                 f.remove("scidac-checksum");
             });
         },
         "no scidac-binary-data record"},
        {"format behind the data",
         [] { return etmc_with([](LimeFile& f) { std::swap(f.records[2], f.records[3]); }); },
         "data before a format record"},
        {"staggered", [] { return etmc_text("diracFermion", "colorVector"); },
         "<field> is 'colorVector'"},
        {"precision 16", [] { return etmc_text("<precision>64", "<precision>16"); },
         "<precision> is '16'"},
        {"precision 32 of 64", [] { return etmc_text("<precision>64", "<precision>32"); },
         "wrong size"},
        {"two flavours", [] { return etmc_text("<flavours>1", "<flavours>2"); },
         "<flavours> is '2'"},
        {"no lt", [] { return etmc_text("<lt>2</lt>", ""); }, "no element <lt>"},
        {"lx in words", [] { return etmc_text("<lx>4", "<lx>four"); }, "<lx> is 'four'"},
        {"odd", [] { return etmc_text("<ly>2", "<ly>3"); }, "must be even"},
        {"another lattice", [] { return etmc_text("<lz>6", "<lz>8"); }, "wrong size"},
        {"unknown type",
         [] {
             return etmc_with([](LimeFile& f) {
                 f["propagator-type"].data = "DiracFermion_ScalarSource_FourSink";
             });
         },
         "'DiracFermion_ScalarSource_FourSink' is no type of spinors"},
        {"a source alone",
         [] {
             return etmc_with(
                 [](LimeFile& f) { f["propagator-type"].data = "DiracFermion_Source_Sink_Pairs"; });
         },
         "a source without its sink"},
        {"one bit",
         [] {
             return etmc_with([](LimeFile& f) {
                 f["scidac-binary-data"].data = flipped(f["scidac-binary-data"].data, 1000);
             });
         },
         "wrong SciDAC checksum"},
    };
    return table;
}

} // namespace

TEST_CASE("corrupted SciDAC files of spinors are refused", "[corrupt]")
{
    CHECK_NOTHROW(load_spinors(one_spinor().bytes()));
    check_all_refused(scidac_spinors(), load_spinors);
}

TEST_CASE("corrupted files of tmLQCD's are refused", "[corrupt]")
{
    check_all_refused(etmc_spinors(), load_spinors);
}

TEST_CASE("a file of spinors cut anywhere is refused", "[corrupt]")
{
    // All but the checksum record, without which it is good.
    const auto without_sums = [](const LimeFile& file) {
        const std::string bytes = file.bytes();
        return bytes.substr(0, bytes.rfind("scidac-checksum") - 16);
    };
    const LimeFile spinor = one_spinor(), etmc = etmc_file({random_spinor(made_spinor_lattice, 1)},
                                                           64, "DiracFermion_Sink");
    check_truncations_refused(without_sums(spinor), load_spinors);
    check_truncations_refused(without_sums(etmc), load_spinors);
}

TEST_CASE("no flipped bit of a spinor passes unseen", "[corrupt]")
{
    const std::string bytes = one_spinor(32).bytes();
    const std::size_t begin = bytes.find("scidac-binary-data") + 128;
    for (std::size_t at = begin; at < begin + 4 * 24 * 96; at += 37)
        CHECK_THROWS_AS(load_spinors(flipped(bytes, at)), Error);
}
