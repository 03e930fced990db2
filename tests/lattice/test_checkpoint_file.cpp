// Checkpoints: what is written is read back bit for bit, and what is damaged, foreign or of another
// version is refused in one line.

#include "base/error.hpp"
#include "lattice/files/checkpoint_file.hpp"
#include "lattice/files/checksum.hpp"
#include "tests/lattice/corruption.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <cstring>

using namespace qcd;

namespace
{

CheckpointHeader small_checkpoint(bool after_cr = false)
{
    CheckpointHeader h;
    h.problem = {.lattice = {2, 2, 2, 4},
                 .antiperiodic = false,
                 .theta = {0.1, 0, -1.0 / 3, 0},
                 .kappa = 0.1 + 0.2, // not what any short text says
                 .mubar = -1e-7,
                 .csw = 1.5,
                 .solver = after_cr ? "cr" : "bicgstab",
                 .even_odd = true,
                 .bits = 32,
                 .links = 18,
                 .tolerance = 1e-5,
                 .links_digest = 0x0123456789abcdef,
                 .source_digests = {1}};
    h.program = "tests 1.0";
    h.method = after_cr ? "cg" : "bicgstab";
    h.sides = {{.scalars = {0, -0.0, 1.0 / 3, 5e-324},
                .done = {7, {1, 0.5, 0.25, 0.1}},
                .applications_at_start = 1}};
    if (after_cr) h.sides[0].before = CheckpointHeader::Done{3, {1, 0.9}};
    h.vectors = {"x", "r"};
    return h;
}

std::vector<std::vector<float>> small_vectors()
{
    std::vector<std::vector<float>> out(2, std::vector<float>(16 * 24));
    for (std::size_t i = 0; i < out[0].size(); ++i) {
        out[0][i] = float(i) / 7;
        out[1][i] = -float(i);
    }
    return out;
}

std::uint64_t write_small(const std::string& path, const CheckpointHeader& h)
{
    const auto vectors = small_vectors();
    return write_checkpoint(
        path, h, {std::as_bytes(std::span(vectors[0])), std::as_bytes(std::span(vectors[1]))});
}

CheckpointFile open_checkpoint(const std::string& bytes)
{
    const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
    return CheckpointFile(memory_bytes("made", {begin, begin + bytes.size()}));
}

void load_checkpoint(const std::string& bytes)
{
    const CheckpointFile file = open_checkpoint(bytes);
    for (std::size_t i = 0; i < file.header().vectors.size(); ++i) file.read_vector(i);
}

template <class Real>
std::string bytes_of(const std::vector<Real>& reals)
{
    return {reinterpret_cast<const char*>(reals.data()), reals.size() * sizeof(Real)};
}

/// A checkpoint that is put together here.
test::LimeFile made_checkpoint()
{
    const CheckpointHeader h = small_checkpoint();
    const auto vectors = small_vectors();
    const std::string xml =
        "<?xml version=\"1.0\"?><qcdCheckpoint><version>1</version><program>tests 1.0</program>"
        "<lx>2</lx><ly>2</ly><lz>2</lz><lt>4</lt><boundary>periodic</boundary>"
        "<theta>0.1,0,-0.3333333333333333,0</theta><kappa>0.30000000000000004</kappa>"
        "<mubar>-1e-07</mubar><csw>1.5</csw><solver>bicgstab</solver><evenOdd>on</evenOdd>"
        "<precision>32</precision><links>18</links><tolerance>1e-05</tolerance>"
        "<linksDigest>0123456789abcdef</linksDigest><sourceDigest>0000000000000001</sourceDigest>"
        "<method>bicgstab</method><applications>7</applications>"
        "<applicationsAtStart>1</applicationsAtStart><vectors>x,r</vectors></qcdCheckpoint>";
    return {{{"qcd-checkpoint", xml},
             {"qcd-scalars", bytes_of(h.sides[0].scalars)},
             {"qcd-residuals", bytes_of(h.sides[0].done.residuals)},
             {"qcd-vector", bytes_of(vectors[0])},
             {"qcd-vector", bytes_of(vectors[1])}}};
}

/// With the checksums of its records.
std::string summed(test::LimeFile file)
{
    std::string sums;
    for (const test::LimeRecord& r : file.records)
        sums += fmt::format("{:016x}\n", xxh64(std::as_bytes(std::span(r.data))));
    file.records.push_back({"qcd-checksums", sums});
    return file.bytes();
}

std::string checkpoint_with(const std::function<void(test::LimeFile&)>& change)
{
    test::LimeFile file = made_checkpoint();
    change(file);
    return summed(file);
}

std::string checkpoint_text(const std::string& from, const std::string& to)
{
    return checkpoint_with([&](test::LimeFile& f) {
        f["qcd-checkpoint"].data = test::replaced(f["qcd-checkpoint"].data, from, to);
    });
}

const std::vector<test::Corruption>& bad_checkpoints()
{
    using test::LimeFile;
    static const std::vector<test::Corruption> table = {
        {"empty file", [] { return std::string(); }, "not a checkpoint"},
        {"text", [] { return std::string("a solve"); }, "not a checkpoint"},
        {"a gauge field",
         [] {
             return test::ildg_file(test::load_spec("unit", {2, 2, 2, 2}), 64).bytes();
         },
         "not a checkpoint"},
        {"a newer version", [] { return checkpoint_text("<version>1", "<new>?</new><version>2"); },
         "version '2', of a newer program"},
        {"a newer version of other records",
         [] {
             return checkpoint_with([](LimeFile& f) {
                 f["qcd-checkpoint"].data = "<qcdCheckpoint><version>3</version></qcdCheckpoint>";
                 f.records.resize(1);
             });
         },
         "version '3', of a newer program"},
        {"an element that is not known",
         [] { return checkpoint_text("<links>", "<rho>1</rho><links>"); }, "unknown element 'rho'"},
        {"no element", [] { return checkpoint_text("<mubar>-1e-07</mubar>", ""); }, "<mubar>"},
        {"no number", [] { return checkpoint_text("0.30000000000000004", "third"); }, "<kappa>"},
        {"not finite", [] { return checkpoint_text("-1e-07", "inf"); }, "<mubar> is 'inf'"},
        {"three angles", [] { return checkpoint_text("0.1,0,", "0.1,"); }, "<theta>"},
        {"a solver that is not known",
         [] { return checkpoint_text("<solver>bicgstab", "<solver>gmres"); },
         "<solver> is 'gmres'"},
        {"a method that does not follow",
         [] { return checkpoint_text("<method>bicgstab", "<method>cg"); }, "method cg"},
        {"half a digest", [] { return checkpoint_text("0123456789abcdef", "01234567"); },
         "<linksDigest>"},
        {"odd extents", [] { return checkpoint_text("<lt>4", "<lt>3"); }, "even"},
        {"larger extents", [] { return checkpoint_text("<lt>4", "<lt>8"); },
         "wrong size: vector 'x' has 1536 bytes, not 3072"},
        {"other bits", [] { return checkpoint_text("<precision>32", "<precision>64"); },
         "wrong size"},
        {"all sites", [] { return checkpoint_text("<evenOdd>on", "<evenOdd>off"); }, "wrong size"},
        {"a vector more", [] { return checkpoint_text("x,r", "x,r,p"); },
         "'qcd-checksums' where qcd-vector"},
        {"a vector less", [] { return checkpoint_text("x,r", "x"); },
         "'qcd-vector' where qcd-checksums"},
        {"many vectors", [] { return checkpoint_text("x,r", "a,b,c,d,e,f,g,h,i,j"); },
         "10 vectors"},
        {"no residuals",
         [] { return checkpoint_with([](LimeFile& f) { f.remove("qcd-residuals"); }); },
         "where qcd-residuals is expected"},
        {"empty residuals",
         [] { return checkpoint_with([](LimeFile& f) { f["qcd-residuals"].data = ""; }); },
         "qcd-residuals: empty"},
        {"half a real",
         [] { return checkpoint_with([](LimeFile& f) { f["qcd-scalars"].data.pop_back(); }); },
         "qcd-scalars of 31 bytes"},
        {"NaN",
         [] {
             return checkpoint_with([](LimeFile& f) {
                 f["qcd-residuals"].data = bytes_of(std::vector{1.0, test::not_a_number});
             });
         },
         "qcd-residuals: not finite"},
        {"no checksums", [] { return made_checkpoint().bytes(); }, "no qcd-checksums record"},
        {"a checksum less",
         [] {
             LimeFile file = made_checkpoint();
             file.records.push_back({"qcd-checksums", "0123456789abcdef\n"});
             return file.bytes();
         },
         "not one for each"},
        {"records behind",
         [] {
             return summed(made_checkpoint()) +
                    test::lime_record_bytes({"qcd-checksums", "0123456789abcdef\n"});
         },
         "not one for each"},
        {"trailing bytes", [] { return summed(made_checkpoint()) + "x"; }, "trailing bytes"},
        {"a wrong checksum of a vector",
         [] {
             std::string bytes = summed(made_checkpoint());
             return test::flipped(bytes, bytes.find("qcd-vector") + 200);
         },
         "wrong checksum of vector 'x'"},
        {"a wrong checksum of residuals",
         [] {
             std::string bytes = summed(made_checkpoint());
             return test::flipped(bytes, bytes.find("qcd-residuals") + 128);
         },
         "wrong checksum of qcd-residuals"},
    };
    return table;
}

} // namespace

namespace
{

void check_same_side(const CheckpointHeader::Side& read, const CheckpointHeader::Side& side)
{
    CHECK(bytes_of(read.scalars) == bytes_of(side.scalars));
    CHECK(read.done.applications == side.done.applications);
    CHECK(read.done.residuals == side.done.residuals);
    CHECK(read.applications_at_start == side.applications_at_start);
    REQUIRE(read.before.has_value() == side.before.has_value());
    if (!side.before) return;
    CHECK(read.before->applications == side.before->applications);
    CHECK(read.before->residuals == side.before->residuals);
}

} // namespace

TEST_CASE("a checkpoint of several right-hand sides is read back, one of which has ended before")
{
    const test::Scratch scratch;
    CheckpointHeader h = small_checkpoint(true);
    h.problem.source_digests = {1, 2, 3};
    h.sides.resize(3, h.sides[0]);
    h.sides[1].scalars[1] = 7;
    h.sides[1].done.residuals.push_back(0.01);
    h.sides[2].done = {};
    std::vector<std::vector<float>> vectors;
    std::vector<std::span<const std::byte>> spans;
    for (int i = 0; i < 6; ++i) {
        vectors.push_back(small_vectors()[std::size_t(i % 2)]);
        vectors.back()[3] = float(i);
    }
    for (const auto& v : vectors) spans.push_back(std::as_bytes(std::span(v)));
    write_checkpoint(scratch / "c", h, spans);
    const CheckpointFile file(open_file_bytes(scratch / "c"));
    REQUIRE(file.header().sides.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        check_same_side(file.header().sides[i], h.sides[i]);
        for (std::size_t v = 0; v < 2; ++v) {
            const std::vector<char> reals = file.read_vector(v, i);
            CHECK(std::string(reals.begin(), reals.end()) == bytes_of(vectors[2 * i + v]));
        }
    }
    CHECK(file.header().iterations() == 5);
    CHECK(file.header().residual() == 0.9);
    CHECK(difference(small_checkpoint(true).problem, h.problem, true) ==
          "right-hand sides: 1 there, 3 here");
}

TEST_CASE("a checkpoint is read back as it was written")
{
    const bool after_cr = GENERATE(false, true);
    const test::Scratch scratch;
    const CheckpointHeader h = small_checkpoint(after_cr);
    const std::uint64_t bytes = write_small(scratch / "c", h);
    CHECK(bytes == std::filesystem::file_size(scratch / "c"));
    CHECK(is_checkpoint(*open_file_bytes(scratch / "c")));
    const CheckpointFile file(open_file_bytes(scratch / "c"));
    const CheckpointHeader& read = file.header();
    CHECK(difference(read.problem, h.problem, true).empty());
    CHECK(read.program == h.program);
    CHECK(read.method == h.method);
    check_same_side(read.sides.at(0), h.sides[0]);
    CHECK(read.sides.size() == 1);
    CHECK(read.iterations() == (after_cr ? 4 : 3));
    CHECK(read.applications() == (after_cr ? 10 : 7));
    CHECK(read.vectors == h.vectors);
    const auto vectors = small_vectors();
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        const std::vector<char> reals = file.read_vector(i);
        CHECK(std::string(reals.begin(), reals.end()) == bytes_of(vectors[i]));
    }
}

TEST_CASE("a checkpoint that was put together by hand is read")
{
    CHECK(fmt::format("{:016x}", xxh64({})) == "ef46db3751d8e999"); // as xxHash publishes it
    const std::string bytes = summed(made_checkpoint());
    CHECK_NOTHROW(load_checkpoint(bytes));
    CHECK(difference(open_checkpoint(bytes).header().problem, small_checkpoint().problem, true)
              .empty());
}

TEST_CASE("what differs between two problems is said")
{
    const CheckpointProblem here = small_checkpoint().problem;
    const auto change = [&](const auto& set) {
        CheckpointProblem there = here;
        set(there);
        return difference(there, here, true);
    };
    using Problem = CheckpointProblem;
    CHECK(change([](Problem& p) { p.lattice[3] = 8; }) == "lattice 2x2x2x8 there, 2x2x2x4 here");
    CHECK(change([](Problem& p) { p.antiperiodic = true; }) ==
          "boundary antiperiodic there, periodic here");
    CHECK(change([](Problem& p) { p.theta[1] = 1; }).starts_with("theta 0.1,1,"));
    CHECK(change([](Problem& p) { p.kappa = 0.3; }) == "kappa 0.3 there, 0.30000000000000004 here");
    CHECK(change([](Problem& p) { p.mubar = 0; }) == "mubar 0 there, -1e-07 here");
    CHECK(change([](Problem& p) { p.csw = 0; }) == "csw 0 there, 1.5 here");
    CHECK(change([](Problem& p) { p.solver = "cg"; }) == "solver cg there, bicgstab here");
    CHECK(change([](Problem& p) { p.even_odd = false; }) == "even-odd off there, on here");
    CHECK(change([](Problem& p) { p.bits = 64; }) == "bits of a real 64 there, 32 here");
    CHECK(change([](Problem& p) { p.links = 12; }) == "links 12 there, 18 here");
    CHECK(change([](Problem& p) { p.tolerance = 0; }) == "tolerance 0 there, 1e-05 here");
    CHECK(change([](Problem& p) { p.source_digests[0] = 2; }) ==
          "digest of the source 0000000000000002 there, 0000000000000001 here");
    CHECK(change([](Problem& p) { p.links_digest = 2; }) ==
          "digest of the links 0000000000000002 there, 0123456789abcdef here");
    Problem other_links = here;
    other_links.links_digest = 2;
    CHECK(difference(other_links, here, false).empty());
}

TEST_CASE("corrupted checkpoints are refused", "[corrupt]")
{
    test::check_all_refused(bad_checkpoints(), load_checkpoint);
}

TEST_CASE("a checkpoint cut anywhere is refused", "[corrupt]")
{
    const std::string bytes = summed(made_checkpoint());
    // The last padding holds nothing.
    test::check_truncations_refused(bytes.substr(0, bytes.rfind('\n') + 1), load_checkpoint);
}

TEST_CASE("no flipped bit of a checkpoint's data passes unseen", "[corrupt]")
{
    const test::LimeFile file = made_checkpoint();
    const std::string bytes = summed(file);
    std::size_t at = 0;
    for (const test::LimeRecord& record : file.records) {
        for (std::size_t i = 0; i < record.data.size(); i += 5)
            CHECK_THROWS_AS(load_checkpoint(test::flipped(bytes, at + 144 + i)), Error);
        at += test::lime_record_bytes(record).size();
    }
    for (std::size_t i = at + 144; i < bytes.rfind('\n'); ++i)
        CHECK_THROWS_AS(load_checkpoint(test::flipped(bytes, i)), Error);
}
