// Sources, first guesses and solutions in files, as a user gives them.

#include "lattice/files/hdf5_dataset.hpp"
#include "lattice/files/spinor_file.hpp"
#include "tests/drivers/json_schema.hpp"
#include "tests/drivers/program.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <sys/resource.h>

using namespace qcd::test;
using Json = nlohmann::json;

namespace
{

const std::string field = "--lattice 4x4x4x8 --gauge random:3 --mass 0.5 --cpus 1 --quiet ";

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
    const Scratch scratch;
    const std::string file = scratch / "x.lime";
    write_text(file, "of before");
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{48 << 10, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small); // the program inherits it
    const Outcome o = run(field + "--engine openmp --save-solution " + file);
    setrlimit(RLIMIT_FSIZE, &before);
    INFO(o.err);
    CHECK(o.status == 2);
    CHECK(o.err.find("cannot write") != std::string::npos);
    CHECK(std::count(o.err.begin(), o.err.end(), '\n') == 1);
    check_valid("solve", o.json);
    CHECK(o.json.at("converged") == true);
    CHECK(o.json.at("solution").at("file").is_null());
    CHECK(read_text(file) == "of before");
    CHECK(std::distance(std::filesystem::directory_iterator(scratch.path()), {}) == 1);
}
