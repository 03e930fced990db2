// The program as a user runs it: versions of the ladder by `solve`, `compare` and `ladder`, on a
// tiny lattice.

#include "tests/drivers/json_schema.hpp"
#include "tests/drivers/program.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <set>

using namespace qcd::test;
using Json = nlohmann::json;
using Catch::Contains;

namespace
{

const std::string job = "--lattice 4x2x4x6 --cuda 0 ";

std::string digest(const Json& solved) { return solved.at("solution").at("digest"); }
double norm2(const Json& solved) { return solved.at("solution").at("norm2"); }

std::size_t lines_in(const std::filesystem::path& file)
{
    std::ifstream in(file);
    std::size_t lines = 0;
    for (std::string line; std::getline(in, line);) ++lines;
    return lines;
}

} // namespace

TEST_CASE("--ladder: plans and tilings give the same x, and the printed command the same bits")
{
    const std::string version = GENERATE("original", "1.0", "1.5", "2.0");
    const std::string options = job + "--tol 1e-9 --ladder " + version + " ";
    const Json usual = solve(job + "--cpus 1 --opencl 0 --tol 1e-9 --even-odd off");
    const Json graph = solve(options + "--cpus 2 --opencl 0 --plan graph --tiles 1x1x1x3");
    check_valid("solve", graph);
    CHECK(graph.at("verified") == true);
    CHECK(graph.at("stencil").at("version") == version);
    CHECK(usual.at("stencil").is_null());
    CHECK(norm2(graph) == Approx(norm2(usual)).epsilon(1e-7));
    CHECK(digest(solve(options + "--cpus 2 --opencl 0 --plan pinned --tiles 1x1x1x3")) ==
          digest(graph));
    CHECK(norm2(solve(options + "--cpus 1 --opencl 0 --tiles 1x1x1x5")) ==
          Approx(norm2(graph)).epsilon(1e-7));
    const std::string command = graph.at("command");
    CHECK(digest(solve(command.substr(command.find(' ') + 1))) == digest(graph));
}

TEST_CASE("--ladder: cores and an OpenCL device share a graph, and slabs of --split")
{
    if (!works("opencl", "--cpus 0 --cuda 0 --opencl 1")) return;
    const std::string options = job + "--cpus 1 --opencl 1 --tol 1e-9 --ladder 1.3 ";
    const Json usual = solve(job + "--cpus 1 --opencl 0 --tol 1e-9 --even-odd off");
    for (const char* way : {"--sched dmdas", "--plan pinned", "--split 0.5"}) {
        INFO(way);
        const Json shared = solve(options + way);
        check_valid("solve", shared);
        CHECK(shared.at("verified") == true);
        CHECK(norm2(shared) == Approx(norm2(usual)).epsilon(1e-7));
    }
    CHECK(solve(options + "--split 0.5").at("plan").at("name") == "pinned");
}

TEST_CASE("--ladder: what a version does not have is refused in one line")
{
    const auto [options, line] = GENERATE(table<std::string, std::string>(
        {{"--ladder 3.0", "--ladder: '3.0' is none of auto, original"},
         {"--ladder 1.2 --multiple 12", "--multiple: '12' is none of 8, 16, 64"},
         {"--ladder 1.1 --multiple 8", "has no choice"},
         {"--multiple 8", "see --ladder"},
         {"--ladder 1.2 --solver cg", "use --solver cr"},
         {"--ladder 1.2 --sloppy single", "--sloppy: version 1.2"},
         {"--ladder 1.2 --csw 1", "--csw: version 1.2"},
         {"--ladder 1.2 --even-odd on", "--even-odd off"},
         {"--ladder 1.2 --links 12", "all 18 reals"},
         {"--ladder 1.2 --tiles 1x1x2x1", "1x1x1xN"},
         {"--ladder 1.2 --tiles 1x1x1x7", "7 slabs of 6 time slices"},
         {"--ladder 1.2 --plan batch", "graph, pinned or replay"},
         {"--ladder 1.2 --engine openmp", "--engine openmp runs without StarPU"},
         {"--ladder original --opencl 1", "for cores alone"}}));
    const Outcome o = run("--lattice 4x2x4x6 " + options);
    INFO(options << ": " << o.err);
    CHECK(o.status == 2);
    CHECK_THAT(o.err, Contains(line));
    CHECK(o.err.find('\n') == o.err.size() - 1);
}

TEST_CASE("compare: versions beside today's kernels, each with bits of its own")
{
    const Scratch folder;
    const Outcome o = run("compare --lattice 4x2x4x6 --iterations 4 --repeat 2 --workers cpus:1 "
                          "--ladder auto,1.2,2.0 --out " +
                          folder.path().string());
    INFO(o.err);
    REQUIRE(o.status == 0);
    check_valid("compare", o.json);
    CHECK(o.json.at("ranking").at("cases").size() == 3);
    for (const char* other : {" --even-odd on", " --sloppy single", " --csw 1"}) {
        INFO(other);
        CHECK(run("compare --lattice 4x2x4x6 --ladder auto,1.2 --out " + folder.path().string() +
                  other)
                  .status == 2);
    }
}

TEST_CASE("ladder: a small one, and the same command goes on")
{
    const Scratch folder;
    const std::string command = "ladder --lattice 4x2x4x6 --iterations 3 --repeat 2 --devices "
                                "core,cores --ladder original,1.3,auto --out " +
                                folder.path().string();
    const Outcome o = run(command);
    INFO(o.err << o.out);
    REQUIRE(o.status == 0);
    check_valid("ladder", o.json);
    REQUIRE(o.json.at("rows").size() == 6);
    for (const Json& row : o.json.at("rows")) {
        INFO(row.dump());
        CHECK(row.at("failure").is_null());
        CHECK(row.at("rounds") == 2);
        CHECK(row.at("seconds") > 0);
        CHECK(row.at("stencil_percent") > 0);
        CHECK(row.at("over_core").at("ratio") > 0);
        const double own = row.at("version_gflops"), usual = row.at("gflops");
        const std::string version = row.at("version");
        CHECK(own / usual == Approx(version == "original" ? 5328. / 1320
                                    : version == "1.3"    ? 2.
                                                          : 1.));
    }
    CHECK(o.json.at("rows")[0].at("over_core").at("ratio") == 1);
    const std::size_t lines = lines_in(folder.path() / "runs.csv");
    CHECK(lines == 1 + 6 * 3);
    CHECK(run(command).status == 0);
    CHECK(lines_in(folder.path() / "runs.csv") == lines); // all was there
    const Outcome other = run(command + " --seed 2");
    CHECK(other.status == 2);
    CHECK_THAT(other.err, Contains("another design"));
}

TEST_CASE("ladder: an OpenCL device is there whichever row is the first")
{
    if (!works("opencl", "--cpus 0 --cuda 0 --opencl 1")) return;
    const std::string seed = GENERATE("1", "2", "3", "4");
    const Scratch folder;
    const Outcome o =
        run("ladder --lattice 4x2x4x6 --iterations 2 --repeat 1 --devices core,opencl "
            "--ladder 1.4 --seed " +
            seed + " --out " + folder.path().string());
    INFO(seed << o.err);
    CHECK(o.status == 0);
}

TEST_CASE("ladder: what is not here is named, and the others go on")
{
    if (works("cuda", "--cpus 0 --opencl 0 --cuda 1")) return;
    const Scratch folder;
    const Outcome o = run("ladder --lattice 4x2x4x6 --repeat 1 --devices core,cuda --ladder "
                          "1.4 --iterations 2 --out " +
                          folder.path().string());
    INFO(o.err);
    CHECK(o.status == 4);
    check_valid("ladder", o.json);
    CHECK(o.json.at("rows")[0].at("failure").is_null());
    CHECK(o.json.at("rows")[1].at("failure").is_string());
    CHECK_THAT(o.err, Contains("cuda 1.4"));
}

TEST_CASE("ladder: options that make no sense")
{
    const auto [options, line] = GENERATE(table<std::string, std::string>(
        {{"--devices gpu", "--devices: 'gpu' is none of core, cores, opencl, cuda"},
         {"--devices core,core", "is there twice"},
         {"--ladder 1.2,1.7", "--ladder: '1.7'"},
         {"--multiple 8,9", "--multiple: '9'"},
         {"--ladder original --devices opencl", "for cores alone"},
         {"--iterations 0", "--iterations"},
         {"--solver cg", "--solver"}}));
    const Scratch folder;
    const Outcome o = run("ladder " + options + " --out " + folder.path().string() + "/l");
    INFO(options << ": " << o.err);
    CHECK(o.status == 2);
    CHECK_THAT(o.err, Contains(line));
}
