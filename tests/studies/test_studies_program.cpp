// starpu_studies as a user runs it: exit status, JSON, trace, compare.

#include "tests/drivers/json_schema.hpp"
#include "tests/drivers/program.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

using namespace qcd::test;

namespace
{

Outcome run_studies(const std::string& arguments)
{
    setenv("QCD_STARPU_PROGRAM", STARPU_STUDIES_PROGRAM, 1);
    return run(arguments);
}

} // namespace

TEST_CASE("starpu_studies: results in text and JSON", "[studies]")
{
    const Outcome o = run_studies("matmul --size 30x20x10 --cpus 2 --cuda 0 --repeat 4");
    INFO(o.err);
    REQUIRE(o.status == 0);
    CHECK(o.err == "");
    CHECK_THAT(o.out, Catch::Contains("verified") && Catch::Contains("GF/s"));
    check_valid("study", o.json);
    CHECK(o.json["program"]["name"] == "starpu_studies");
    CHECK(o.json["seconds"].size() == 4);
    CHECK(o.json["quantities"][0]["values"].size() == 4);
    CHECK(o.json["quantities"][0]["interval"].size() == 2);
    std::map<std::string, bool> higher_is_better;
    for (const auto& q : o.json["quantities"]) {
        INFO(q.dump());
        const bool higher = q["better"] == "higher";
        higher_is_better[q["key"]] = higher;
        if (q["best"].is_null()) continue;
        const auto values = q["values"].get<std::vector<double>>();
        CHECK(q["best"] == (higher ? *std::max_element(values.begin(), values.end())
                                   : *std::min_element(values.begin(), values.end())));
    }
    CHECK(higher_is_better.at("rate"));
    CHECK(!higher_is_better.at("compute"));
    // The same number in text, which stands last before the unit.
    const auto rate = std::find_if(o.json["quantities"].begin(), o.json["quantities"].end(),
                                   [](const auto& q) { return q["key"] == "rate"; });
    CHECK_THAT(o.out,
               Catch::Contains(fmt::format("{:>12.6g} GF/s", (*rate)["best"].get<double>())));
    const Outcome soon =
        run_studies("matmul --size 30 --cpus 2 --cuda 0 --repeat 100000 --within 0.01");
    CHECK(soon.status == 0);
    CHECK(soon.json["seconds"].size() < 100000);
}

TEST_CASE("starpu_studies: what is wrong is one line", "[studies]")
{
    for (const auto& [line, status] : {std::pair{"matmul --size 0", 2},
                                       {"matmul --cpus 2 --cuda 0 --plan batch", 2},
                                       {"matmul --cpus 900", 4},
                                       {"matmul --cpus 0 --cuda 0 --opencl 4", 4}}) {
        INFO(line);
        const Outcome o = run_studies(line);
        CHECK(o.status == status);
        CHECK(o.out == "");
        CHECK_THAT(o.err, Catch::StartsWith("starpu_studies: "));
        CHECK(std::count(o.err.begin(), o.err.end(), '\n') == 1);
    }
}

TEST_CASE("starpu_studies: a trace is one that qcd_starpu reads, and changes nothing", "[studies]")
{
    const Scratch scratch;
    const std::string line = "matmul --size 60 --tiles 2x2x2 --cpus 2 --cuda 0 --quiet";
    const Outcome traced = run_studies(line + " --trace " + (scratch / "t")),
                  plain = run_studies(line);
    REQUIRE(traced.status == 0);
    CHECK(traced.out == "");
    CHECK(traced.json["digest"] == plain.json["digest"]);
    CHECK(traced.json["tasks"] == plain.json["tasks"]);
    for (const char* name : {"paje.trace", "trace.json", "tasks.csv", "profile.csv"})
        CHECK(std::filesystem::exists(scratch / ("t/" + std::string(name))));
    CHECK_THAT(read_text(scratch / "t/tasks.csv"), Catch::Contains("matmul_blocks"));
}

TEST_CASE(
    "starpu_studies: a folder with somebody else's files is refused, a failing run leaves its own")
{
    const Scratch scratch;
    const std::string other = scratch / "other", own = scratch / "own";
    std::filesystem::create_directory(other);
    for (const char* name : {"trace.json", "runs.csv"})
        write_text(other + "/" + name, "of another program");
    for (const std::string& line :
         {"matmul --size 60 --cpus 1 --cuda 0 --trace " + other,
          "compare matmul --size 60 --cpus 1 --cuda 0 --rounds 1 --out " + other}) {
        const Outcome o = run_studies(line);
        INFO(line);
        CHECK(o.status == 2);
        CHECK_THAT(o.err, Catch::Contains("has files in it, and no "));
        for (const char* name : {"trace.json", "runs.csv"})
            CHECK(read_text(other + "/" + name) == "of another program");
        CHECK(std::distance(std::filesystem::directory_iterator(other), {}) == 2);
    }
    REQUIRE(run_studies("matmul --size 60 --cpus 1 --cuda 0 --trace " + own).status == 0);
    const std::string tasks = read_text(own + "/tasks.csv");
    CHECK(run_studies("matmul --size 60 --cpus 900 --trace " + own).status == 4);
    CHECK(run_studies("matmul --size 60 --tiles 900x1x1 --cpus 1 --cuda 0 --trace " + own).status ==
          2);
    CHECK(read_text(own + "/tasks.csv") == tasks);
}

TEST_CASE("starpu_studies: compare ranks cases and keeps what it has measured", "[studies]")
{
    const Scratch scratch;
    const std::string line = "compare matmul --size 64 --version naive,blocks --cpus 2 --cuda 0 "
                             "--rounds 2 --out " +
                             (scratch / "c");
    const Outcome o = run_studies(line);
    INFO(o.err);
    REQUIRE(o.status == 0);
    check_valid("study-compare", o.json);
    CHECK(o.json["ranking"]["cases"].size() == 2);
    const std::string runs = read_text(scratch / "c/runs.csv");
    CHECK(std::count(runs.begin(), runs.end(), '\n') == 1 + 2 * 3);
    CHECK(run_studies(line).status == 0);
    CHECK(read_text(scratch / "c/runs.csv") == runs);
    CHECK(run_studies(line + " --seed 2").status == 2);
}
