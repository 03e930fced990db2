// docs/your-scheduler.md: the policy in examples/scheduler is built by make, and runs.

#include "tests/drivers/program.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>

using namespace qcd::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace
{

const std::string job = "--lattice 4x4x4x8 --iterations 10 --cuda 0 --opencl 0 --cpus 2 "
                        "--plan graph --tiles 1x1x1x4 ";

/// What make builds of the example: the library's file.
std::string built(const Scratch& scratch)
{
    fs::copy(QCD_ROOT "/examples/scheduler", scratch.path());
    const std::string make = "PKG_CONFIG_PATH=" QCD_STARPU_PKG_CONFIG
                             ":$PKG_CONFIG_PATH make -s -C " +
                             scratch.path().string() + " >" + scratch / "out" + " 2>&1";
    const int status = std::system(make.c_str());
    INFO(read_text(scratch / "out"));
    REQUIRE(status == 0);
    CHECK(read_text(scratch / "out").empty()); // no warning
    return scratch / "newest.so";
}

} // namespace

TEST_CASE("a scheduler of one's own is built, solves with the same bits, and is in its trace")
{
    const Scratch scratch;
    const std::string library = built(scratch);
    const nlohmann::json lws = solve(job + "--sched lws");
    const std::string own = "--sched-lib " + library + " --sched newest ";
    const nlohmann::json j = solve(job + own + "--trace " + scratch / "t");
    CHECK(j.at("solution").at("digest") == lws.at("solution").at("digest"));
    CHECK(j.at("plan").at("scheduler") == "newest");
    CHECK_THAT(j.at("command").get<std::string>(),
               Contains(own.substr(0, own.size() - 1)) ||
                   Contains("--sched newest --sched-lib " + library));
    CHECK_THAT(read_text(scratch / "t/trace.meta.json"), Contains("StarPU's newest chooses"));
    const nlohmann::json by_environment =
        solve(job + "--sched newest", "STARPU_SCHED_LIB=" + library);
    CHECK(by_environment.at("solution").at("digest") == lws.at("solution").at("digest"));
    CHECK(by_environment.at("command") == j.at("command"));
    const auto listed = run("info", "STARPU_SCHED_LIB=" + library).json;
    CHECK(listed.dump().find("\"newest\"") != std::string::npos);
    CHECK(listed.dump().find("\"lws\"") != std::string::npos);
}

TEST_CASE("cores and PoCL take turns by a scheduler of one's own")
{
    if (!works("opencl", "--cpus 1 --cuda 0 --opencl 1")) return;
    const Scratch scratch;
    const std::string library = built(scratch);
    const std::string both = "--lattice 4x4x4x8 --iterations 10 --cuda 0 --opencl 1 --cpus 1 "
                             "--plan graph --tiles 1x1x1x4 ";
    CHECK(solve(both + "--sched-lib " + library + " --sched newest").at("solution").at("digest") ==
          solve(job + "--sched lws").at("solution").at("digest"));
}

TEST_CASE("compare has a scheduler of one's own beside StarPU's")
{
    const Scratch scratch;
    const std::string library = built(scratch);
    const Outcome o =
        run("compare --lattice 4x4x4x8 --iterations 5 --workers cpus:2 --tiles 1x1x1x2 "
            "--sched-lib " +
            library + " --sched newest,lws --repeat 2 --out " + scratch / "c");
    INFO(o.err);
    REQUIRE(o.status == 0);
    for (const char* name : {"sched newest", "sched lws"}) CHECK_THAT(o.out, Contains(name));
}

TEST_CASE("a library that is none, or lacks the policy, is refused in one line")
{
    const Scratch scratch;
    const std::string library = built(scratch);
    write_text(scratch / "text.so", "no library");
    const std::string no_policy = scratch / "other.so";
    write_text(scratch / "other.c", "int nothing;\n");
    REQUIRE(std::system(
                ("cc -shared -fPIC " + (scratch / "other.c") + " -o " + no_policy).c_str()) == 0);
    const std::pair<std::string, std::string> wrong[] = {
        {"--sched-lib " + scratch / "none.so" + " --sched newest", "there is no file"},
        {"--sched-lib " + scratch / "text.so" + " --sched newest", "no library that can be loaded"},
        {"--sched-lib " + no_policy + " --sched newest", "no function starpu_get_sched_lib_policy"},
        {"--sched-lib " + library + " --sched oldest", "the library has newest"},
        {"--sched-lib " + library, "--sched NAME"},
        {"--sched-lib " + library + " --sched newest --split auto", "--split"}};
    for (const auto& [options, message] : wrong) {
        const bool split = options.ends_with("auto");
        const std::string job_of = split ? "--lattice 4x4x4x8 --cuda 0 --opencl 0 --cpus 2 " : job;
        const Outcome o = run(job_of + options);
        INFO(options << ": " << o.err);
        CHECK(o.status == 2);
        CHECK_THAT(o.err, Contains(message));
        CHECK(std::count(o.err.begin(), o.err.end(), '\n') == 1);
    }
    const Outcome o = run("compare --lattice 4x4x4x8 --sched-lib " + library +
                          " --sched oldest --out " + scratch / "c");
    CHECK(o.status == 2);
    CHECK_THAT(o.err, Contains("neither StarPU nor the library has a scheduler 'oldest'"));
}
