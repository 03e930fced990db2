// What --json writes: as docs/schema says, in every case; and what a result is cited by.

#include "drivers/run/run_report.hpp"
#include "program/provenance.hpp"
#include "tests/drivers/json_schema.hpp"
#include "tests/drivers/program.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <fmt/chrono.h>
#include <regex>

using namespace qcd::test;
using Json = nlohmann::json;

namespace
{

const std::string job = "--lattice 4x4x4x8 --cuda 0 --opencl 0 ";

/// A report's JSON as the program would write it.
Json written(const qcd::RunReport& r)
{
    const Json starpu = run("info").json.at("starpu");
    qcd::StarpuBuild build{starpu.at("version"), {}, {}};
    for (const auto& f : starpu.at("features").items())
        build.features.emplace_back(f.key(), f.value());
    for (const auto& l : starpu.at("limits").items()) build.limits.emplace_back(l.key(), l.value());
    return Json::parse(with_provenance(to_json(r), {"qcd_starpu", {}}, {}, build).dump());
}

/// README.md and docs/*.md.
std::string documentation()
{
    const std::filesystem::path root = QCD_ROOT;
    std::string text = read_text(root / "README.md");
    for (const auto& entry : std::filesystem::directory_iterator(root / "docs"))
        if (entry.path().extension() == ".md") text += "\n\n" + read_text(entry.path());
    return text;
}

} // namespace

TEST_CASE("solve --json is as its schema says, by every engine and however it ends")
{
    if (!can_validate()) return;
    for (const std::string engine : {"starpu", "sequential", "openmp"})
        check_strict("solve", solve("--lattice 4x4x4x8 --engine " + engine));
    const struct {
        const char* options;
        int status;
    } cases[] = {{"--tiles 1x1x2x2 --sched eager --repeat 2", 0},
                 {"--iterations 3 --solver cg --precision single", 0},
                 {"--max-iterations 3 --solver bicgstab --even-odd off", 1},
                 {"--max-iterations 3 --engine sequential", 1},
                 {"--tol 1e-12 --precision single --links 8", 3}};
    for (const auto& c : cases) {
        INFO(c.options);
        check_valid("solve", solve(std::string("--lattice 4x4x4x8 ") + c.options, "", c.status));
    }
}

TEST_CASE("numbers that are not finite are null, where the schemas allow it")
{
    const Json unending = solve(job + "--kappa 1e300", "", 1);
    CHECK(unending.at("residual").at("true").is_null());
    check_valid("solve", unending);
    const Json applied = solve("apply " + job + "--kappa 1e300");
    CHECK(applied.at("norm2_Dpsi").is_null());
    check_valid("apply", applied);
    if (!can_validate()) return;
    Json no_time = unending;
    no_time["seconds"]["solve"] = nullptr;
    CHECK(faults("solve", {no_time}).front().find("$.seconds.solve: None") == 0);
}

TEST_CASE("solve --json with --trace is as its schema says")
{
    const Scratch scratch;
    check_valid("solve", solve(job + "--iterations 3 --trace " + scratch / "t"));
}

TEST_CASE("solve --json of what this machine may not have is as its schema says")
{
    if (!can_validate()) return;
    qcd::RunReport r;
    r.problem.lattice = {8, 8, 8, 16};
    r.problem.kappa = 0.125;
    r.problem.gauge = "weak:0.2,1";
    r.problem.source = "random:1";
    r.command = "qcd_starpu";
    r.solver = "cr";
    r.plan.emplace();
    r.plan->lattice = {8, 8, 8, 16};
    r.plan->thickness = {{{8}, {8}, {8}, {8, 8}}};
    r.plan->scheduler = "dmdas";
    r.solution.digest = "0123456789abcdef";
    r.repeats = {0.5};
    r.kernels = {{"hopping_f64", "CUDA", 12, 50, 10.5, 12.25}};
    r.split.emplace();
    r.split->device_share = 0.75;
    r.split->devices = 3;
    r.split->cores = 1;
    r.split->solve = 3.6;
    check_strict("solve", written(r));
}

TEST_CASE("apply --json is as its schema says")
{
    if (can_validate()) check_strict("apply", solve("apply " + job));
}

TEST_CASE("info --json is as its schema says")
{
    if (!can_validate()) return;
    check_strict("info", run("info").json);
}

TEST_CASE("convert --json and check --json are as their schemas say")
{
    if (!can_validate()) return;
    const Scratch scratch;
    const std::string file = scratch / "f.lime";
    check_strict("convert", solve("convert random:4 --lattice 4x4x4x4 " + file));
    check_strict("check", run("check " + file).json);
}

TEST_CASE("the JSON says what ran, how it was called and when")
{
    const auto now = [] {
        return fmt::format("{:%FT%TZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(
                                            std::chrono::system_clock::now())));
    };
    const std::string before = now();
    const Json j = solve("--lattice 4x4x4x4 --iterations 2 --engine openmp");
    CHECK(before <= j.at("date").get<std::string>());
    CHECK(j.at("date").get<std::string>() <= now());
    Json typed = j.at("arguments");
    REQUIRE(typed.size() == 9);
    CHECK(typed.at(7) == "--json");
    typed.erase(8);
    CHECK(typed == Json{"--lattice", "4x4x4x4", "--iterations", "2", "--engine", "openmp",
                        "--quiet", "--json"});
    const Json& p = j.at("program");
    const std::string revision = p.at("git_revision").is_null() ? "" : p.at("git_revision"),
                      name = p.at("name"), version = p.at("version");
    CHECK(j.at("version") ==
          name + " " + version + (revision.empty() ? "" : " (git " + revision + ")"));
    const Json info = run("info").json;
    CHECK(info.at("arguments").at(0) == "info");
    CHECK(info.at("cpu") == info.at("machine").at("cpu"));
    for (const char* key : {"schema_version", "program", "version", "cpu"})
        CHECK(info.at(key) == j.at(key));
    for (const char* key : {"version", "features", "limits"})
        CHECK(info.at("starpu").at(key) == j.at("starpu").at(key));
}

TEST_CASE("the documentation names every option")
{
    const std::string documents = documentation();
    for (const std::string command : {"solve", "propagator", "generate", "apply", "bench",
                                      "compare", "ladder", "trace", "info", "convert", "check"}) {
        const std::string help = run(command + " --help").out;
        const std::regex option("--[a-z][a-z-]*");
        CHECK(help.find("--json") != std::string::npos);
        for (std::sregex_iterator it(help.begin(), help.end(), option), end; it != end; ++it) {
            INFO(command << ' ' << it->str());
            CHECK(std::regex_search(documents, std::regex(it->str() + "([^a-z-]|$)")));
        }
    }
}
