// --json writes the documented keys, all of them and no other.

#include "tests/drivers/documented_keys.hpp"
#include "tests/drivers/program.hpp"

#include <catch2/catch.hpp>
#include <regex>

using namespace qcd::test;
using Json = nlohmann::json;

namespace
{

const Keys worker_keys{"cpu", "cuda", "opencl", "cores_per_cpu"};

void check_inside(const Json& j, const std::string& command, const std::string& key)
{
    INFO(command << " " << key);
    CHECK(all_keys(j.at(key)) == documented_names(command, key));
}

} // namespace

TEST_CASE("solve --json: the documented keys")
{
    for (const char* engine : {"starpu", "sequential", "openmp"}) {
        INFO(engine);
        const Json j = solve(std::string("--lattice 4x4x4x8 --engine ") + engine);
        CHECK(keys(j) == documented_keys("solve"));
        CHECK(keys(j.at("workers")) == worker_keys);
        for (const char* key : {"gauge", "residual", "solution", "seconds"})
            check_inside(j, "solve", key);
        for (const Json& k : j.at("kernels"))
            CHECK(keys(k) == Keys{"name", "worker", "count", "mean_us", "gflops", "gb_per_s",
                                  "percent_of_triad"});
    }
}

TEST_CASE("bench --json: the documented keys")
{
    const Json j = run("bench --lattice 4x4x4x8 --tiles 1x1x1x2 --cpus 1 --opencl 0 --cuda 0 "
                       "--repeat 1 --precision double --ops hopping,dot,runtime_overhead,engines")
                       .json;
    Keys documented = documented_keys("bench");
    documented.erase("load_average"); // said there of every row
    CHECK(keys(j) == documented);
    for (const char* list : {"bandwidth", "operations", "runtime_overhead", "engines"}) {
        INFO(list);
        Keys of_rows = documented_names("bench", list);
        of_rows.insert("load_average");
        REQUIRE_FALSE(j.at(list).empty());
        CHECK(all_keys(j.at(list)) == of_rows);
        for (const Json& row : j.at(list)) CHECK(keys(row.at("workers")) == worker_keys);
    }
}

TEST_CASE("info --json: the documented keys")
{
    const Json j = run("info").json;
    CHECK(keys(j) == documented_keys("info"));
    check_inside(j, "info", "machine");
    check_inside(j, "info", "limits");
    for (const char* list : {"bandwidth", "devices", "missing"})
        if (!j.at(list).empty()) check_inside(j, "info", list);
    CHECK(keys(j.at("starpu")) == documented_names("info", "starpu")); // features are named freely
}

TEST_CASE("the documentation names every option")
{
    for (const std::string command : {"solve", "apply", "bench", "info"}) {
        const std::string help = run(command + " --help").out;
        const std::regex option("--[a-z][a-z-]*");
        CHECK(help.find("--json") != std::string::npos);
        for (std::sregex_iterator it(help.begin(), help.end(), option), end; it != end; ++it) {
            INFO(command << ' ' << it->str());
            CHECK(std::regex_search(documentation(), std::regex(it->str() + "([^a-z-]|$)")));
        }
    }
}
