// Sources, first guesses and solutions in files, as a user gives them.

#include "lattice/box.hpp"
#include "lattice/files/hdf5_dataset.hpp"
#include "lattice/files/spinor_file.hpp"
#include "lattice/files/spinor_writer.hpp"
#include "lattice/source_scale.hpp"
#include "lattice/spin_basis.hpp"
#include "tests/drivers/json_schema.hpp"
#include "tests/drivers/program.hpp"
#include "tests/lattice/made_spinors.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <sys/resource.h>

using namespace qcd::test;
using Json = nlohmann::json;

namespace
{

const std::string field = "--lattice 4x4x4x8 --gauge random:3 --mass 0.5 --cpus 1 --quiet ";

/// On the lattice that files are made on by hand.
const std::string made_field =
    "--lattice 4x2x6x2 --gauge random:3 --mass 0.5 --solver bicgstab --cpus 1 --quiet ";

/// Writes the numbers in DeGrand-Rossi, as this program writes them.
void write_as_here(const std::string& path, const qcd::SpinorSource& spinor)
{
    const auto writer = qcd::make_spinor_writer(path, {.lattice = made_spinor_lattice});
    for (long site = 0; site < qcd::volume(made_spinor_lattice); ++site) {
        double s[24];
        spinor.site(qcd::coordinates(made_spinor_lattice, site), s);
        writer->add_site(s);
    }
    writer->finish();
}

/// Numbers of a spinor in another basis.
Numbers numbers_in(const qcd::SpinorSource& spinor, qcd::SpinBasis basis)
{
    Numbers all(24 * qcd::volume(made_spinor_lattice));
    for (long site = 0; site < qcd::volume(made_spinor_lattice); ++site) {
        spinor.site(qcd::coordinates(made_spinor_lattice, site), &all[24 * site]);
        qcd::rotate_back(qcd::to_degrand_rossi(basis), &all[24 * site]);
    }
    return all;
}

Json digest_of(const Json& run) { return run.at("solution").at("digest"); }

/// One line that says it, status 2.
void check_refused(const std::string& arguments, const std::string& culprit)
{
    const Outcome o = run(arguments);
    INFO(arguments << '\n' << o.err);
    CHECK(o.status == 2);
    CHECK(std::count(o.err.begin(), o.err.end(), '\n') == 1);
    CHECK(o.err.find(culprit) != std::string::npos);
}

} // namespace

TEST_CASE("a saved solution is the guess that needs no iteration, with the same digest")
{
    const std::string method =
        GENERATE("", "--precision single ", "--even-odd off ", "--solver cg --mubar 0.1 ",
                 "--solver bicgstab --tiles 2x1x1x2 ");
    const std::string file = GENERATE("x.lime", "x.h5");
    if (file == "x.h5" && !qcd::has_hdf5()) return;
    const Scratch scratch;
    const std::string basis = GENERATE("degrand-rossi", "chiral");
    const Json first =
        solve(field + method + "--save-solution " + scratch / file + " --solution-basis " + basis);
    check_valid("solve", first);
    CHECK(first.at("guess").is_null());
    CHECK(first.at("solution").at("file") == scratch / file);
    const qcd::SpinorFile saved = qcd::open_spinor_file(scratch / file, qcd::Extents{4, 4, 4, 8});
    CHECK(saved.bits() == (first.at("precision") == "single" ? 32 : 64));
    CHECK(to_string(saved.basis()) == basis);
    saved.verify(); // its digest is that of its numbers, ...
    const Json again = solve(field + method + "--guess " + scratch / file);
    check_valid("solve", again);
    CHECK(again.at("iterations") == 0);
    CHECK(again.at("residual").at("true") == first.at("residual").at("true"));
    CHECK(again.at("solution").at("digest") == first.at("solution").at("digest")); // ... and x's
    CHECK(again.at("guess").get<std::string>().starts_with(scratch / file));
    CHECK(again.at("command").get<std::string>().find("--guess") != std::string::npos);
}

TEST_CASE("the plain engines save their solution, and StarPU's solve goes on from it")
{
    const Scratch scratch;
    const std::string file = scratch / "x";
    const Json plain = solve(field + "--engine sequential --tol 1e-8 --save-solution " + file);
    const Json on = solve(field + "--tol 1e-8 --guess " + file);
    CHECK(on.at("iterations") == 0);
    CHECK(on.at("solution").at("norm2").get<double>() == // its odd sites are rounded otherwise
          Approx(plain.at("solution").at("norm2").get<double>()).epsilon(1e-13));
    const Json closer = solve(field + "--tol 1e-12 --guess " + file);
    CHECK(closer.at("iterations") > 0);
    CHECK(closer.at("iterations") < solve(field + "--tol 1e-12").at("iterations"));
}

TEST_CASE("a source of a file is the source that the file was made of")
{
    const Scratch scratch;
    const std::string file = scratch / "b.lime";
    const Json b = solve(field + "--save-solution " + file);
    const Json x = solve(field + "--source " + file);
    check_valid("solve", x);
    CHECK(x.at("source").get<std::string>().starts_with(file));
    const Outcome applied = run("apply " + field + "--source " + file);
    CHECK(applied.status == 0);
    CHECK(applied.json.at("norm2_psi").get<double>() ==
          Approx(b.at("solution").at("norm2").get<double>()).epsilon(1e-14));
}

TEST_CASE("a source as small as a late time slice of a heavy propagator is solved, or refused")
{
    const Scratch scratch;
    const qcd::Extents l = made_spinor_lattice;
    const auto det = qcd::open_spinor_source("det:7", l);
    const auto made = [&](int power) {
        const std::string file = scratch / fmt::format("b{}", power);
        write_as_here(file, qcd::ScaledSource(*det, power));
        return file;
    };
    const std::string problem = "--lattice 4x2x6x2 --gauge random:3 --mass 0.5 --quiet ";
    const std::string small = made(-540), usual = made(0); // |b|^2 underflows
    const std::string method = GENERATE("", "--sloppy single ");
    const Json one = solve(made_field + method + "--source " + usual);
    const Json x =
        solve(made_field + method + "--source " + small + " --save-solution " + scratch / "x");
    check_valid("solve", x);
    CHECK(x.at("iterations") == one.at("iterations"));
    CHECK(x.at("residual").at("true") == one.at("residual").at("true"));
    CHECK(x.at("solution").at("norm2").is_null());
    qcd::open_spinor_file(scratch / "x", l).verify(); // the digest in it is that of its numbers
    const Json applied = solve("apply " + problem + "--source " + small);
    check_valid("apply", applied);
    CHECK(applied.at("norm2_Dpsi").is_null());
    for (const std::string plain : {"--engine sequential ", "--ladder 1.2 --cpus 1 "})
        check_refused(problem + plain + "--source " + small, "source: its largest real is");
    check_refused(made_field + method + "--source " + made(-1000), "source: its largest real is");
    check_refused(made_field + "--precision single --source " + small, "in single precision");
    check_refused(made_field + method + "--guess " + made(900), "guess: its largest real is");
}

TEST_CASE("files of spinors that do not fit are refused in one line")
{
    const Scratch scratch;
    const std::string file = scratch / "x.lime";
    solve(field + "--save-solution " + file);
    const std::string bytes = read_text(file);
    std::string flipped = bytes;
    flipped[bytes.size() / 2] ^= 1;
    write_text(scratch / "flipped", flipped);
    write_text(scratch / "cut", bytes.substr(0, bytes.size() - 400));
    write_text(scratch / "text", "no spinors");
    for (const std::string option : {"--source ", "--guess "}) {
        check_refused("--lattice 4x4x4x4 " + option + file, "4x4x4x8, not 4x4x4x4");
        check_refused(field + option + scratch / "flipped", "checksum");
        check_refused(field + option + scratch / "cut", "cut: ");
        check_refused(field + option + scratch / "text", "not a file of spinors");
        check_refused(field + option + scratch / "none", "there is no file");
        check_refused(field + option + file + " --basis dirac", "spin basis");
        check_refused(field + option + file + " --save-solution " + file, "would be replaced");
    }
    check_refused(field + "--guess " + file + " --guess-number 1", "no spinor 1");
    check_refused(field + "--guess-number 1", "--guess-number");
    check_refused(field + "--source-number 1", "--source-number");
    check_refused(field + "--engine openmp --guess " + file, "--guess");
    check_refused(field + "--dry-run --save-solution " + scratch / "y", "--dry-run");
    check_refused(field + "--save-solution " + scratch / "no/y", "there is no folder");
    CHECK(read_text(file) == bytes);
}

TEST_CASE("a solution beyond the limit of files: one line, the report, and the old file stays")
{
    const std::string name = GENERATE("x.lime", "x.h5");
    if (name == "x.h5" && !qcd::has_hdf5()) return;
    const Scratch scratch;
    const std::string file = scratch / name;
    write_text(file, "of before");
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{48 << 10, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small); // the program inherits it
    const Outcome o = run(field + "--engine openmp --save-solution " + file);
    setrlimit(RLIMIT_FSIZE, &before);
    INFO(o.err);
    CHECK(o.status == 2);
    CHECK(o.err.find("cannot write: File too large") != std::string::npos);
    CHECK(std::count(o.err.begin(), o.err.end(), '\n') == 1);
    if (name == "x.lime") { // HDF5's has its whole size at once, and fails before the solve
        check_valid("solve", o.json);
        CHECK(o.json.at("converged") == true);
        CHECK(o.json.at("solution").at("file").is_null());
    }
    CHECK(read_text(file) == "of before");
    CHECK(std::distance(std::filesystem::directory_iterator(scratch.path()), {}) == 1);
}

TEST_CASE("sources as Chroma, QUDA and tmLQCD write them are the spinors that are in them")
{
    const Scratch scratch;
    const auto s = random_propagator(made_spinor_lattice, 9);
    const std::string other = scratch / "other", here = scratch / "here";
    const struct {
        std::string bytes, options;
        int number;
    } files[] = {
        {chroma_propagator(s, 64).bytes(), "--source-number 7", 7},
        {chroma_propagator(s, 64).bytes(), "--source-number 7 --basis dirac", 7},
        {packed_spinors(s, 64, "QUDA_DNs4Nc3_ColorSpinorField").bytes(), "--source-number 7", 7},
        {packed_spinors({s[3]}, 64, "QDP_D3_DiracFermion").bytes(), "", 0},
        {etmc_file({s[0], s[1]}, 64, "DiracFermion_Sink").bytes(), "--source-number 1", 1},
        {etmc_file({s[0], s[1]}, 64, "DiracFermion_Source_Sink_Pairs").bytes(), "", 0},
        {etmc_file({s[2]}, 64, "DiracFermion_Source").bytes(), "--basis chiral", 0}};
    for (const auto& f : files) {
        INFO(f.options << ' ' << f.bytes.size());
        write_text(other, f.bytes);
        const auto basis = f.options.find("dirac") != std::string::npos
                               ? std::optional(qcd::SpinBasis::dirac)
                               : std::nullopt;
        const qcd::SpinorReading reading{.basis = basis, .angles = qcd::Theta{0, 0, 0, 1}};
        write_as_here(here,
                      *qcd::open_spinor_file(other, made_spinor_lattice, reading).spinor(f.number));
        const Json x = solve(made_field + "--source " + other + " " + f.options);
        check_valid("solve", x);
        CHECK(digest_of(x) == digest_of(solve(made_field + "--source " + here)));
    }
    check_refused(made_field + "--source " + other + " --basis dirac --source-number 1",
                  "no spinor 1");
    for (const auto& several : {files[0], files[2]}) {
        write_text(other, several.bytes);
        check_refused(made_field + "--source " + other, "12 spinors");
        check_refused(made_field + "--source-number 12 --source " + other, "no spinor 12");
    }
    LimeFile vectors = packed_spinors(s, 64, "QDP_D3_ColorVector");
    std::string& xml = vectors["scidac-private-record-xml"].data;
    xml =
        replaced(replaced(xml, "<typesize>192", "<typesize>48"), "<datacount>12", "<datacount>48");
    write_text(other, vectors.bytes());
    check_refused(made_field + "--source-number 0 --source " + other,
                  "'QDP_D3_ColorVector', 48 of 48 bytes a site: neither spinors nor a propagator");
    check_refused("check " + other, "'QDP_D3_ColorVector', 48 of 48 bytes a site: not a gauge "
                                    "field, nor spinors");
}

TEST_CASE("a solution laid out as Chroma or tmLQCD do is the guess that needs no iteration")
{
    const Scratch scratch;
    const std::string here = scratch / "x", other = scratch / "other";
    const Json first = solve(made_field + "--save-solution " + here);
    const auto x = qcd::open_spinor_file(here, made_spinor_lattice).spinor(0);
    const Numbers zero(24 * qcd::volume(made_spinor_lattice)),
        chiral = numbers_in(*x, qcd::SpinBasis::chiral),
        same = numbers_in(*x, qcd::SpinBasis::degrand_rossi);
    std::vector<Numbers> twelve(12, zero);
    twelve[5] = same;
    const std::pair<LimeFile, std::string> files[] = {
        {etmc_file({chiral}, 64, "DiracFermion_Sink"), " --phases boundary"},
        {etmc_file({zero, chiral}, 64, "DiracFermion_Source_Sink_Pairs"), " --phases boundary"},
        {chroma_propagator(twelve, 64), " --guess-number 5"},
        {packed_spinors(twelve, 64, "QDP_D3_DiracFermion"), " --guess-number 5"},
        {scidac_spinor_file({same}, 64, {"<x/>"}), ""}};
    for (const auto& [file, options] : files) {
        write_text(other, file.bytes());
        const Json again = solve(made_field + "--guess " + other + options);
        CHECK(again.at("iterations") == 0);
        CHECK(digest_of(again) == digest_of(first));
    }
}

TEST_CASE("solutions of codes that spread the phases over all links are solutions")
{
    const struct {
        std::string options;
        qcd::Theta angles; ///< of the links that cross the boundaries
    } runs[] = {{"", {0, 0, 0, 1}},
                {"--theta 0,0,0,-2", {0, 0, 0, -1}},
                {"--theta 0.5,-0.25,1.5,0.3", {0.5, -0.25, 1.5, 1.3}},
                {"--boundary periodic --theta 0,0.7,0,1", {0, 0.7, 0, 1}},
                {"--boundary periodic", {}}};
    for (const auto& [options, angles] : runs) {
        INFO(options);
        const Scratch scratch;
        const std::string here = scratch / "x", b_file = scratch / "b.lime",
                          x_file = scratch / "x.lime";
        const std::string problem = made_field + options + " --source point:1,1,3,1,2,0 ";
        const Json first = solve(problem + "--tol 1e-12 --save-solution " + here);
        CHECK(first.at("source_phases").is_null());
        const auto x = qcd::open_spinor_file(here, made_spinor_lattice).spinor(0);
        const Numbers spread = turned(numbers_in(*x, qcd::SpinBasis::chiral), angles, -1);
        write_text(x_file, etmc_file({spread}, 64, "DiracFermion_Sink").bytes());

        const Json again = solve(problem + "--tol 1e-11 --guess " + x_file);
        check_valid("solve", again);
        CHECK(again.at("iterations") == 0);
        CHECK(again.at("residual").at("true").get<double>() < 1e-11);
        const bool any = angles != qcd::Theta{};
        CHECK(again.at("guess_phases") == (any ? Json("spread") : Json()));
        CHECK((again.at("guess").get<std::string>().find("phases spread") != std::string::npos) ==
              any);

        // D x is b: 1 at one site.
        const Outcome applied = run("apply " + made_field.substr(0, made_field.find("--solver")) +
                                    "--cpus 1 --quiet " + options + " --source " + x_file);
        check_valid("apply", applied.json);
        CHECK(applied.json.at("norm2_Dpsi").get<double>() == Approx(1).epsilon(1e-10));
        CHECK(applied.json.at("source_phases") == (any ? Json("spread") : Json()));

        // A source with them, too.
        Numbers b(spread.size());
        const long site = ((1 * 6 + 3) * 2 + 1) * 4 + 1;
        b[24 * site + 12] = 1;
        for (std::size_t i = 0; i < b.size(); i += 24)
            qcd::rotate_back(qcd::to_degrand_rossi(qcd::SpinBasis::chiral), &b[i]);
        write_text(b_file, etmc_file({turned(b, angles, -1)}, 64, "DiracFermion_Source").bytes());
        const Json both =
            solve(made_field + options + " --tol 1e-11 --source " + b_file + " --guess " + x_file);
        CHECK(both.at("iterations") == 0);
        if (!any) continue;
        const std::string at_boundary = " --phases boundary --tol 1e-11 --max-iterations 1000";
        const Json wrong = solve(problem + "--guess " + x_file + at_boundary);
        CHECK(wrong.at("iterations") > 0);
        CHECK(wrong.at("guess_phases") == "boundary");
        CHECK(wrong.at("command").get<std::string>().find("--phases boundary") !=
              std::string::npos);
    }
}

TEST_CASE("a solution is saved with spread phases, and read as what it says")
{
    const std::string name = GENERATE("x.lime", "x.h5");
    if (name == "x.h5" && !qcd::has_hdf5()) return;
    const Scratch scratch;
    const std::string file = scratch / name, plain = scratch / "plain";
    const std::string problem = made_field + "--theta 0.5,0,0,0.25 ";
    const Json first = solve(problem + "--tol 1e-12 --save-solution " + plain);
    CHECK(first.at("solution").at("phases") == "boundary");
    const Json saved = solve(problem + "--tol 1e-12 --solution-phases spread --save-solution " +
                             file + " --solution-basis chiral");
    check_valid("solve", saved);
    CHECK(digest_of(saved) == digest_of(first));
    CHECK(saved.at("solution").at("phases") == "spread");

    // As tmLQCD would have it.
    std::string bytes = read_text(file);
    for (const char* claim : {"boundaryPhases", "boundary_phases"})
        for (std::size_t at; (at = bytes.find(claim)) != std::string::npos;)
            bytes.replace(at, 8, "ordinary");
    write_text(scratch / ("stored." + name), bytes);
    const auto numbers = [](const std::string& path, qcd::SpinBasis basis) {
        return numbers_in(*qcd::open_spinor_file(path, made_spinor_lattice).spinor(0), basis);
    };
    const Numbers expected = turned(numbers(plain, qcd::SpinBasis::chiral), {0.5, 0, 0, 1.25}, -1);
    const Numbers stored = numbers(scratch / ("stored." + name), qcd::SpinBasis::chiral);
    REQUIRE(stored.size() == expected.size());
    for (std::size_t i = 0; i < stored.size(); ++i)
        REQUIRE(std::abs(stored[i] - expected[i]) < 1e-13);

    const Json again = solve(problem + "--tol 1e-11 --guess " + file);
    CHECK(again.at("iterations") == 0);
    CHECK(again.at("guess_phases") == "spread");
    check_refused(problem + "--guess " + file + " --phases boundary",
                  "the file says that its boundary phases are spread over all links");
    check_refused(problem + "--guess " + plain + " --phases spread",
                  "the file says that its boundary phases are at the boundary");

    const Outcome checked = run("check " + file);
    CHECK(checked.status == 0);
    check_valid("check", checked.json);
    const Json& report = checked.json.at("files").at(0);
    CHECK(report.at("phases") == "spread");
    CHECK(report.at("phases_angles") == Json{0.5, 0, 0, 1.25});
    CHECK(checked.out.find("spread over all links (theta 0.5,0,0,1.25 pi), as the file says") !=
          std::string::npos);
}

TEST_CASE("basis and phases of files are refused where there is none")
{
    const Scratch scratch;
    const std::string file = scratch / "x.lime";
    solve(field + "--save-solution " + file);
    for (const std::string option : {"--basis chiral", "--phases spread", "--phases boundary"}) {
        check_refused(field + option, option.substr(0, option.find(' ')) + ": for files");
        check_refused("apply --lattice 4x4x4x4 " + option, ": for files");
    }
    CHECK(run(field + "--phases boundary --guess " + file).status == 0);
    CHECK(run(field + "--phases boundary --source " + file).status == 0);
    check_refused(field + "--solution-phases spread", "without --save-solution");
    check_refused(field + "--phases links --source " + file, "--phases: 'links' is none of");
    check_refused("propagator --lattice 4x4x4x4 --phases spread", "without --save");
    check_refused("compare --lattice 4x4x4x8 --simulate this --source " + file + " --phases spread",
                  "--phases: the spinors of a source are not simulated");
}

TEST_CASE("a tmLQCD file that says lx in place of lz is read, with a note")
{
    const Scratch scratch;
    const std::string file = scratch / "b";
    LimeFile made = etmc_file({random_spinor(made_spinor_lattice, 3)}, 64, "DiracFermion_Sink");
    write_text(file, made.bytes());
    const std::string loud = made_field.substr(0, made_field.find("--quiet"));
    const Outcome right = run(loud + "--source " + file);
    CHECK(right.err.find("note: ") == std::string::npos);
    std::string& xml = made["etmc-propagator-format"].data;
    xml = replaced(xml, "<lz>6</lz>", "<lz>4</lz>");
    write_text(file, made.bytes());
    const Outcome o = run(loud + "--source " + file);
    INFO(o.err);
    CHECK(o.status == 0);
    CHECK(o.err.find("note: " + file + ": says that lz is 4") != std::string::npos);
    CHECK(digest_of(o.json) == digest_of(right.json));
}
