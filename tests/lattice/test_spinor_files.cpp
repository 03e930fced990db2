// Files of spinors: what is written is read back bit for bit, files put together by hand are read
// as meant, and damaged ones are refused.

#include "base/error.hpp"
#include "lattice/box.hpp"
#include "lattice/files/file_check.hpp"
#include "lattice/files/spinor_file.hpp"
#include "lattice/files/spinor_writer.hpp"
#include "lattice/spinor_digest.hpp"
#include "tests/lattice/made_spinors.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <fmt/format.h>

using namespace qcd;
using namespace qcd::test;
using Catch::Contains;

namespace
{

constexpr auto every_basis = {SpinBasis::degrand_rossi, SpinBasis::dirac, SpinBasis::chiral};

Numbers numbers_of(const SpinorFile& file, int number)
{
    const auto source = file.spinor(number);
    Numbers all;
    for_each_site(made_spinor_lattice, [&](const Coord& x) {
        double s[24];
        source->site(x, s);
        all.insert(all.end(), s, s + 24);
    });
    return all;
}

void write_spinors(const std::string& path, const SpinorFileKind& kind,
                   const std::vector<Numbers>& spinors)
{
    const auto writer = make_spinor_writer(path, kind);
    for (const Numbers& psi : spinors)
        for (std::size_t site = 0; site < psi.size(); site += 24) writer->add_site(&psi[site]);
    writer->finish();
}

Numbers rotated(Numbers psi, SpinBasis basis)
{
    for (std::size_t site = 0; site < psi.size(); site += 24)
        rotate(to_degrand_rossi(basis), &psi[site]);
    return psi;
}

double largest_difference(const Numbers& a, const Numbers& b)
{
    REQUIRE(a.size() == b.size());
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

Numbers in_bits(const Numbers& psi, int bits) { return bits == 32 ? rounded(psi) : psi; }

/// U S U^T, where U is the rotation's.
std::vector<Numbers> rotated_propagator(const std::vector<Numbers>& s, SpinBasis basis)
{
    const SpinRotation& u = to_degrand_rossi(basis);
    std::vector<Numbers> out(12, Numbers(s[0].size()));
    for (int spin = 0; spin < 4; ++spin)
        for (int colour = 0; colour < 3; ++colour)
            for (int other = 0; other < 4; ++other) {
                const Numbers column = rotated(s[3 * other + colour], basis);
                for (std::size_t i = 0; i < column.size(); ++i)
                    out[3 * spin + colour][i] += u[spin][other] * column[i];
            }
    return out;
}

} // namespace

TEST_CASE("a spinor goes to a file in every basis and precision, and comes back", "[spinor file]")
{
    const int bits = GENERATE(32, 64);
    const auto basis = GENERATE(values(every_basis));
    const Scratch folder;
    const Numbers psi = in_bits(random_spinor(made_spinor_lattice, 3), bits);
    write_spinors(folder / "f", {made_spinor_lattice, bits, basis, 1, false, "D x = b, a < b & c"},
                  {psi});
    const SpinorFile file = open_spinor_file(folder / "f", made_spinor_lattice);
    file.verify();
    CHECK(file.bits() == bits);
    CHECK(file.basis() == basis);
    CHECK(file.spinors() == 1);
    CHECK_FALSE(file.is_propagator());
    CHECK_THAT(file.description(), Contains(fmt::format("SciDAC, spinor, {} bits", bits)));
    if (basis == SpinBasis::dirac)
        CHECK(largest_difference(numbers_of(file, 0), psi) < (bits == 64 ? 1e-14 : 1e-6));
    else
        CHECK(numbers_of(file, 0) == psi);
    for (const auto other : every_basis) {
        if (other == basis) continue;
        CHECK_THROWS_WITH(open_spinor_file(folder / "f", made_spinor_lattice, {.basis = other}),
                          Contains("says that its spin basis is"));
    }
}

TEST_CASE("the file's digest is that of the spinor", "[spinor file]")
{
    const int bits = GENERATE(32, 64);
    const auto basis = GENERATE(values(every_basis));
    const Scratch folder;
    const Numbers psi = random_spinor(made_spinor_lattice, 3);
    write_spinors(folder / "f", {made_spinor_lattice, bits, basis, 1, false, ""}, {psi});
    SpinorDigest digest(bits / 8);
    for (std::size_t site = 0; site < psi.size(); site += 24) digest.add_site(&psi[site]);
    CHECK(read_text(folder / "f").find(fmt::format("<digest>{:016x}</digest>", digest.value())) !=
          std::string::npos);
}

TEST_CASE("a propagator goes to a file and comes back", "[spinor file]")
{
    const int bits = GENERATE(32, 64);
    const Scratch folder;
    std::vector<Numbers> all = random_propagator(made_spinor_lattice, 3);
    for (Numbers& psi : all) psi = in_bits(psi, bits);
    SpinorFileKind kind{made_spinor_lattice, bits, SpinBasis::degrand_rossi, 12, true,
                        "a propagator"};
    write_spinors(folder / "f", kind, all);
    const SpinorFile file = open_spinor_file(folder / "f", made_spinor_lattice);
    file.verify();
    CHECK(file.is_propagator());
    REQUIRE(file.spinors() == 12);
    for (int source = 0; source < 12; ++source) CHECK(numbers_of(file, source) == all[source]);
    CHECK_THROWS_WITH(file.spinor(12), Contains("there is no spinor 12"));
    kind.basis = SpinBasis::chiral;
    CHECK_THROWS_WITH(make_spinor_writer(folder / "g", kind), Contains("degrand-rossi only"));
}

TEST_CASE("a written spinor has the records and data of a file made by hand", "[spinor file]")
{
    const int bits = GENERATE(32, 64);
    const Scratch folder;
    const Numbers psi = random_spinor(made_spinor_lattice, 5);
    write_spinors(folder / "f", {made_spinor_lattice, bits, SpinBasis::degrand_rossi, 1, false, ""},
                  {psi});
    const std::string bytes = read_text(folder / "f");
    for (const auto& record : scidac_spinor_file({psi}, bits, {""}).records) {
        INFO(record.type);
        const std::string header = lime_record_bytes({record.type, "", record.flags});
        const std::size_t at = bytes.find(record.type) - 16;
        CHECK(bytes.substr(at, 8) == header.substr(0, 8));
        if (record.type == "scidac-binary-data")
            CHECK(bytes.substr(at + 144, record.data.size()) == record.data);
        if (record.type == "scidac-checksum")
            CHECK(bytes.find(record.data.substr(record.data.find("<suma>"))) != std::string::npos);
    }
}

TEST_CASE("sites and spinors are written all of them and no more", "[spinor file]")
{
    const Scratch folder;
    const Numbers psi = random_spinor(made_spinor_lattice, 5);
    const SpinorFileKind kind{made_spinor_lattice, 64, SpinBasis::degrand_rossi, 1, false, ""};
    {
        const auto writer = make_spinor_writer(folder / "f", kind);
        CHECK_THROWS_WITH(writer->finish(), Contains("0 of 1 spinors"));
        writer->add_site(psi.data());
        CHECK_THROWS_WITH(writer->finish(), Contains("0 of 1 spinors"));
        for (std::size_t site = 24; site < psi.size(); site += 24) writer->add_site(&psi[site]);
        CHECK_THROWS_WITH(writer->add_site(psi.data()), Contains("more sites"));
    }
    CHECK_FALSE(std::filesystem::exists(folder / "f"));
}

TEST_CASE("SciDAC files of one spinor and of several are read", "[spinor file]")
{
    const int bits = GENERATE(32, 64);
    const int count = GENERATE(1, 2, 12, 13);
    std::vector<Numbers> all;
    for (int i = 0; i < count; ++i)
        all.push_back(in_bits(random_spinor(made_spinor_lattice, 7 + std::uint64_t(i)), bits));
    const LimeFile made =
        scidac_spinor_file(all, bits, std::vector<std::string>(all.size(), "<any><x/></any>"));
    for (const auto basis : every_basis) {
        const SpinorFile file = open_spinors(made.bytes(), {.basis = basis});
        file.verify();
        CHECK_FALSE(file.is_propagator());
        REQUIRE(file.spinors() == count);
        for (int i = 0; i < count; ++i)
            CHECK(numbers_of(file, i) == rotated(all[std::size_t(i)], basis));
    }
    CHECK(open_spinors(made.bytes()).basis() == SpinBasis::degrand_rossi);
}

TEST_CASE("several spinors in one record are read in their order", "[spinor file]")
{
    const int bits = GENERATE(32, 64);
    const int count = GENERATE(2, 3, 12, 13); // 12 have the bytes of a propagator, 3 of links
    const std::string datatype = GENERATE("QUDA_DNs4Nc3_ColorSpinorField", "QDP_D3_DiracFermion",
                                          "Lattice", "GRID_D_SpinVector4_ColourVector3");
    std::vector<Numbers> all;
    for (int i = 0; i < count; ++i)
        all.push_back(in_bits(random_spinor(made_spinor_lattice, 7 + std::uint64_t(i)), bits));
    const LimeFile made = packed_spinors(all, bits, datatype);
    for (const auto basis : every_basis) {
        const SpinorFile file = open_spinors(made.bytes(), {.basis = basis});
        file.verify();
        CHECK_FALSE(file.is_propagator());
        CHECK(file.format() == fmt::format("SciDAC, spinors ({}), {} bits", count, bits));
        CHECK(file.checksums().size() == 1);
        REQUIRE(file.spinors() == count);
        for (int i = 0; i < count; ++i)
            CHECK(numbers_of(file, i) == rotated(all[std::size_t(i)], basis));
        CHECK_THROWS_WITH(file.spinor(count), Contains("there is no spinor"));
    }
}

TEST_CASE("records of several spinors are numbered one after the other", "[spinor file]")
{
    const std::vector<Numbers> s = random_propagator(made_spinor_lattice, 2);
    LimeFile made = packed_spinors({s[0], s[1], s[2]}, 64, "Lattice");
    for (const LimeFile& next : {scidac_spinor_file({s[3]}, 64, {"<x/>"}),
                                 packed_spinors({s[4], s[5]}, 64, "QDP_D3_DiracFermion")})
        made.records.insert(made.records.end(), next.records.begin() + 2, next.records.end());
    const SpinorFile file = open_spinors(made.bytes());
    file.verify();
    REQUIRE(file.spinors() == 6);
    for (int i = 0; i < 6; ++i) CHECK(numbers_of(file, i) == s[std::size_t(i)]);
}

TEST_CASE("twelve spinors of one record are a propagator where the file's XML says so")
{
    const std::vector<Numbers> all = random_propagator(made_spinor_lattice, 2);
    LimeFile made = packed_spinors(all, 64, "USQCD_D3_DiracFermion");
    made["scidac-file-xml"].data = "<usqcdPropFile><version>1.0</version>"
                                   "<type>USQCD_DiracFermion_ScalarSource_TwelveSink</type>"
                                   "<info/></usqcdPropFile>";
    const std::vector<Numbers> expected = rotated_propagator(all, SpinBasis::chiral);
    const SpinorFile file = open_spinors(made.bytes(), {.basis = SpinBasis::chiral});
    file.verify();
    CHECK(file.is_propagator());
    REQUIRE(file.spinors() == 12);
    for (int source = 0; source < 12; ++source)
        CHECK(largest_difference(numbers_of(file, source), expected[std::size_t(source)]) < 1e-14);
}

TEST_CASE("records that give the bytes of a real are what their type's name says", "[spinor file]")
{
    const std::vector<Numbers> all{random_spinor(made_spinor_lattice, 1),
                                   random_spinor(made_spinor_lattice, 2)};
    LimeFile made = scidac_spinor_file(all, 64, {"<x/>", "<x/>"});
    for (LimeRecord& record : made.records)
        if (record.type == "scidac-private-record-xml")
            record.data = scidac_record_text("USQCD_D3_DiracFermion", 64, 8, 24);
    const std::string scalar(std::size_t(volume(made_spinor_lattice)) * 16, 'x');
    made.records.insert(made.records.begin() + 2,
                        {LimeRecord{"scidac-private-record-xml",
                                    scidac_record_text("USQCD_D3_Complex", 64, 8, 2), 0x8000},
                         LimeRecord{"scidac-binary-data", scalar, 0x4000}});
    const SpinorFile file = open_spinors(made.bytes());
    file.verify();
    REQUIRE(file.spinors() == 2);
    for (int i = 0; i < 2; ++i) CHECK(numbers_of(file, i) == all[std::size_t(i)]);
}

TEST_CASE("propagators of one record and of twelve are read in every basis", "[spinor file]")
{
    const int bits = GENERATE(32, 64);
    const auto basis = GENERATE(values(every_basis));
    std::vector<Numbers> all = random_propagator(made_spinor_lattice, 2);
    for (Numbers& psi : all) psi = in_bits(psi, bits);
    const std::vector<Numbers> expected = rotated_propagator(all, basis);
    const auto check = [&](const LimeFile& made) {
        const SpinorFile file = open_spinors(made.bytes(), {.basis = basis});
        file.verify();
        CHECK(file.is_propagator());
        REQUIRE(file.spinors() == 12);
        for (int source = 0; source < 12; ++source)
            CHECK(largest_difference(numbers_of(file, source), expected[source]) < 1e-14);
        if (basis == SpinBasis::degrand_rossi) CHECK(numbers_of(file, 7) == all[7]);
    };
    for (const char* datatype : {"Lattice", "QDP_D3_DiracPropagator", "numpy.ndarray",
                                 "GRID_F_SpinMatrix4_ColourMatrix3"}) {
        LimeFile chroma = chroma_propagator(all, bits);
        std::string& xml = chroma["scidac-private-record-xml"].data;
        xml = replaced(xml, "Lattice", datatype);
        check(chroma);
    }

    // USQCD's twelve sinks, in another order than that of the sources, behind a scalar source.
    std::vector<std::string> texts;
    std::vector<Numbers> shuffled;
    for (int i = 0; i < 12; ++i) {
        const int source = (5 * i + 3) % 12;
        shuffled.push_back(all[std::size_t(source)]);
        texts.push_back(usqcd_text(source));
    }
    LimeFile twelve = scidac_spinor_file(shuffled, bits, texts);
    const std::string scalar(std::size_t(volume(made_spinor_lattice)) * 2 * bits / 8, 'x');
    twelve.records.insert(
        twelve.records.begin() + 2,
        {LimeRecord{"scidac-private-record-xml",
                    scidac_record_text("USQCD_D3_Complex", bits, 2 * bits / 8, 1), 0x8000},
         LimeRecord{"scidac-record-xml", "<usqcdSourceInfo/>", 0},
         LimeRecord{"scidac-binary-data", scalar, 0x4000}});
    check(twelve);

    // Pairs of sources, on a time slice, and sinks.
    LimeFile pairs = scidac_spinor_file({}, bits, {});
    for (int source = 0; source < 12; ++source) {
        auto slice = scidac_spinor_records(Numbers(24), bits, "<usqcdSourceInfo/>");
        slice[0].data = replaced(slice[0].data, "<recordtype>0", "<recordtype>2");
        auto whole = scidac_spinor_records(random_spinor(made_spinor_lattice, 99), bits,
                                           "<usqcdSourceInfo/>");
        auto sink = scidac_spinor_records(all[std::size_t(source)], bits, usqcd_text(source));
        for (const auto* records : {&slice, &whole, &sink})
            pairs.records.insert(pairs.records.end(), records->begin(), records->end());
    }
    check(pairs);

    // Twelve with a type of USQCD's in the file's XML alone.
    LimeFile typed = scidac_spinor_file(all, bits, std::vector<std::string>(12, "none"));
    typed["scidac-file-xml"].data = "<usqcdPropFile><version>1.0</version>"
                                    "<type>USQCD_DiracFermion_ScalarSource_TwelveSink</type>"
                                    "<info/></usqcdPropFile>";
    check(typed);
}

TEST_CASE("tmLQCD's files are read", "[spinor file]")
{
    const int bits = GENERATE(32, 64);
    const std::vector<Numbers> all{in_bits(random_spinor(made_spinor_lattice, 8), bits),
                                   in_bits(random_spinor(made_spinor_lattice, 9), bits)};
    const SpinorFile sinks = open_spinors(etmc_file(all, bits, "DiracFermion_Sink").bytes());
    sinks.verify();
    CHECK(sinks.basis() == SpinBasis::chiral);
    REQUIRE(sinks.spinors() == 2);
    CHECK(numbers_of(sinks, 1) == rotated(all[1], SpinBasis::chiral));
    const SpinorFile pair =
        open_spinors(etmc_file(all, bits, "DiracFermion_Source_Sink_Pairs").bytes());
    REQUIRE(pair.spinors() == 1);
    CHECK(numbers_of(pair, 0) == rotated(all[1], SpinBasis::chiral));
    LimeFile source = etmc_file({all[0]}, bits, "DiracFermion_Source");
    source["propagator-type"].type = "source-type";
    source["etmc-propagator-format"].type = "etmc-source-format";
    source["etmc-source-format"].data = replaced(source["etmc-source-format"].data, "</lt>",
                                                 "</lt><spin>4</spin><colour>3</colour>");
    CHECK(numbers_of(open_spinors(source.bytes(), {.basis = SpinBasis::degrand_rossi}), 0) ==
          all[0]);
    LimeFile mistaken = etmc_file({all[0]}, bits, "DiracFermion_Sink");
    std::string& xml = mistaken["etmc-propagator-format"].data;
    xml = replaced(xml, "<lz>6", "<lz>4");
    const SpinorFile forgiven = open_spinors(mistaken.bytes());
    forgiven.verify();
    CHECK(numbers_of(forgiven, 0) == rotated(all[0], SpinBasis::chiral));
    REQUIRE(forgiven.notes().size() == 1);
    CHECK_THAT(forgiven.notes()[0], Contains("made: says that lz is 4"));
}

TEST_CASE("other codes' files of spinors are told from gauge files, and measured")
{
    const Scratch folder;
    const int bits = GENERATE(32, 64);
    const auto s = random_propagator(made_spinor_lattice, 4);
    const auto write = [&](const LimeFile& file) {
        write_text(folder / "f", file.bytes());
        return folder / "f";
    };
    const auto check = [&](const LimeFile& file) {
        const std::string path = write(file);
        CHECK(holds_spinors(*open_file_bytes(path)));
        SpinorFileReport r = check_spinor_file(open_file_bytes(path), {}, [] {});
        INFO(r.error);
        CHECK(r.good());
        CHECK(r.lattice == made_spinor_lattice);
        CHECK(r.bits == bits);
        CHECK_FALSE(r.basis_is_said);
        REQUIRE(r.norm2.size() == r.digests.size());
        double total = 0;
        for (std::size_t i = 0; i < r.norm2.size(); ++i)
            for (const double x : in_bits(s[i], bits)) total += x * x;
        CHECK(r.total_norm2() == Approx(total).epsilon(1e-12));
        return r;
    };
    const SpinorFileReport chroma = check(chroma_propagator(s, bits));
    CHECK(chroma.propagator);
    CHECK(chroma.norm2.size() == 12);
    CHECK(chroma.checksums.size() == 1);
    CHECK(chroma.basis == SpinBasis::degrand_rossi);
    const SpinorFileReport etmc = check(etmc_file({s[0], s[1]}, bits, "DiracFermion_Sink"));
    CHECK(etmc.norm2.size() == 2);
    CHECK(etmc.checksums.size() == 2);
    CHECK(etmc.basis == SpinBasis::chiral);
    CHECK(etmc.digests[0] != chroma.digests[0]); // in another basis
    check(scidac_spinor_file({s[0]}, bits, {"<x></x>"}));
    const SpinorFileReport quda = check(packed_spinors(s, bits, "QUDA_FNs4Nc3_ColorSpinorField"));
    CHECK_FALSE(quda.propagator);
    CHECK(quda.norm2 == chroma.norm2); // as each is for its own
    CHECK(quda.digests == chroma.digests);
    CHECK(quda.checksums.size() == 1);

    write(scidac_file(load_spec("random:2", {2, 2, 2, 2}), bits));
    CHECK_FALSE(holds_spinors(*open_file_bytes(folder / "f")));
    write_text(folder / "f", "text");
    CHECK_FALSE(holds_spinors(*open_file_bytes(folder / "f")));

    const std::string path = write(etmc_file({s[0]}, bits, "DiracFermion_Sink"));
    Extents other = made_spinor_lattice;
    other[3] *= 2;
    CHECK_THAT(check_spinor_file(open_file_bytes(path), other, [] {}).error, Contains("lattice"));
    struct Stop {
    };
    CHECK_THROWS_AS(check_spinor_file(open_file_bytes(path), {}, [] { throw Stop(); }), Stop);
}
