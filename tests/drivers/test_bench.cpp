// The program as a user runs it: `bench` and `info` on a tiny lattice.

#include "tests/drivers/json_schema.hpp"
#include "tests/drivers/program.hpp"
#include "tests/required.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <thread>

using namespace qcd::test;
using Json = nlohmann::json;

namespace
{

/// What --json writes. All operations take minutes under sanitizers.
Json json_of(const std::string& arguments)
{
    const Outcome o = Program(arguments).wait(1200);
    INFO(arguments << "\n" << o.err);
    REQUIRE(o.status == 0);
    return o.json;
}

std::set<std::string> names(const Json& operations)
{
    std::set<std::string> found;
    for (const Json& row : operations) found.insert(row.at("operation"));
    return found;
}

} // namespace

TEST_CASE("bench verifies and times every operation in both precisions")
{
    const Json j =
        json_of("bench --lattice 4x4x4x8 --tiles 1x1x1x2 --cpus 1 --opencl 0 --cuda 0 --repeat 1");
    const std::set<std::string> all{"hopping",
                                    "hopping_add",
                                    "hopping_norm2",
                                    "hopping_sums",
                                    "pack_faces",
                                    "hopping_clover",
                                    "hopping_inverse",
                                    "xgemm33x34",
                                    "xgemm34x44",
                                    "chiral_scale",
                                    "dot",
                                    "xpay",
                                    "narrow",
                                    "narrow_to_half",
                                    "widen",
                                    "add_correction",
                                    "add_correction_of_half",
                                    "cr_update",
                                    "cr_update_but_x",
                                    "cg_residual",
                                    "cg_update",
                                    "cg_update_but_x",
                                    "bicgstab_residual",
                                    "bicgstab_update",
                                    "gcr_products",
                                    "gcr_update",
                                    "gcr_solution",
                                    "merge_sums",
                                    "cg_beta"};
    CHECK(names(j.at("operations")) == all);
    CHECK(j.at("operations").size() == 2 * all.size() - 5); // five are of both precisions
    for (const Json& row : j.at("operations")) {
        CHECK(row.at("us") > 0);
        CHECK(row.at("plain_us") > 0);
        CHECK(row.at("workers").at("cpu") == 1);
        if (row.at("operation") == "hopping") {
            const bool in_double = row.at("precision") == "double";
            CHECK(row.at("working_set_bytes") == (in_double ? 1536 : 768) * 256);
            CHECK(row.at("gflops").get<double>() ==
                  Approx(1320 * 256 / row.at("us").get<double>() / 1e3));
            CHECK(row.at("percent_of_read") > 0);
            CHECK(row.at("links") == 18);
        }
        if (row.at("operation") == "dot") CHECK(row.at("links").is_null());
    }
    CHECK(j.at("interrupted") == false);
    CHECK(j.at("bandwidth").size() == 1);
    CHECK(j.at("runtime_overhead").size() == 2);
    CHECK(j.at("runtime_overhead")[0].at("ratio") > 0);
    CHECK(j.at("engines").size() == 1);
    for (const char* engine : {"starpu", "kernels", "openmp", "sequential"})
        CHECK(j.at("engines")[0].at("seconds").at(engine) > 0);
    CHECK(j.at("engines")[0].at("ranking").at("cases").size() == 4);
}

TEST_CASE("bench: links of 18, 12 and 8 reals, where an operation reads links")
{
    const Json j = json_of("bench --lattice 4x4x4x8 --ops hopping,dot --links all --precision "
                           "double --cpus 1 --opencl 0 --cuda 0 --repeat 1");
    std::map<int, double> bytes;
    for (const Json& row : j.at("operations"))
        if (row.at("operation") == "hopping") bytes[row.at("links")] = row.at("working_set_bytes");
    CHECK(bytes == std::map<int, double>{{18, 1536 * 256}, {12, 1152 * 256}, {8, 896 * 256}});
    CHECK(j.at("operations").size() == 3 * 6 + 1);
}

TEST_CASE("bench counts flop and bytes as the contracts say, whatever the tiles are")
{
    struct PerSite {
        double flop, bytes;
    };
    const std::map<std::string, PerSite> contracts{{"hopping_clover", {1824, 2496}},
                                                   {"xgemm33x34", {264, 528}},
                                                   {"cr_update", {528, 1728}},
                                                   {"cg_update_but_x", {96, 576}},
                                                   {"gcr_update", {384, 1344}},
                                                   {"gcr_solution", {288, 960}},
                                                   {"narrow_to_half", {0, 244}},
                                                   {"cg_beta", {0, 0}},
                                                   {"add_correction_of_half", {216, 584}}};
    const Json j = json_of("bench --lattice 4x4x4x8,6x6x6x6 --precision double --cpus 1 --opencl 0 "
                           "--cuda 0 --repeat 1 --ops hopping_clover,xgemm33,cr_update,cg_,gcr_,"
                           "narrow_to_half,add_correction");
    for (const auto& [name, contract] : contracts)
        for (const double sites : {256.0, 648.0}) {
            INFO(name << " on " << sites << " sites");
            const auto row = std::find_if(
                j.at("operations").begin(), j.at("operations").end(),
                [&, &name = name](const Json& r) {
                    const auto l = r.at("lattice").get<std::vector<double>>();
                    return r.at("operation") == name && l[0] * l[1] * l[2] * l[3] / 2 == sites;
                });
            REQUIRE(row != j.at("operations").end());
            CHECK(row->at("working_set_bytes") == Approx(contract.bytes * sites));
            if (contract.flop > 0)
                CHECK(row->at("gflops").get<double>() * row->at("us").get<double>() * 1e3 ==
                      Approx(contract.flop * sites));
        }
}

TEST_CASE("bench walks over the kinds of workers there are, and --ops chooses")
{
    const Json j = json_of("bench --lattice 4x4x4x4 --precision double --ops cg_resid --repeat 1");
    CHECK(names(j.at("operations")) == std::set<std::string>{"cg_residual"});
    std::set<std::string> kinds;
    for (const Json& row : j.at("operations")) {
        CHECK(row.at("percent_of_triad") > 0);
        for (const char* kind : {"cpu", "cuda", "opencl"})
            if (row.at("workers").at(kind) > 0) kinds.insert(kind);
    }
    for (const char* kind : {"cpu", "cuda", "opencl"})
        CHECK((kinds.count(kind) == 1 || !required(kind)));
    for (const Json& row : j.at("bandwidth")) {
        const bool of_cores = row.at("workers").at("cpu") > 0;
        CHECK(row.at("before").is_null() == !of_cores);
        CHECK(row.at("device_triad").is_null() == of_cores);
    }
    CHECK(j.at("runtime_overhead").empty());
    CHECK(j.at("engines").empty());
    CHECK(run("bench --ops dot,nonsense").status == 2);
    CHECK(run("bench --lattice 4x4x4x4 --cuda 7 --ops dot").status == 4);
}

TEST_CASE("bench --cores-per-worker: workers of so many cores, or status 4")
{
    const std::string some = "bench --lattice 4x4x4x4 --precision double --ops dot --repeat 1 "
                             "--cuda 0 --opencl 0 --cores-per-worker ";
    const Json of_one = json_of(some + "1");
    REQUIRE_FALSE(of_one.at("operations").empty());
    for (const Json& row : of_one.at("operations"))
        CHECK(row.at("workers").at("cores_per_cpu") == 1);
    CHECK(run(some + "4096").status == 4);
    if (std::thread::hardware_concurrency() < 2) return;
    const Json rows = json_of(some + "2 --cpus 1").at("operations");
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].at("workers").at("cpu") == 1);
    CHECK(rows[0].at("workers").at("cores_per_cpu") == 2);
}

TEST_CASE("bench: whole solves on all cores, engines with the workers that a solve would have")
{
    const int cores = json_of("info").at("machine").at("cores");
    const std::string solves = "bench --lattice 4x4x4x8 --ops engines,runtime_overhead --precision "
                               "double --opencl 0 --cuda 0 --repeat 1";
    const auto engine_workers = [](const Json& j) {
        REQUIRE(j.at("engines").size() == 1);
        return j.at("engines")[0].at("workers");
    };
    const Json chosen = json_of(solves);
    CHECK(engine_workers(chosen).at("cores_per_cpu") == cores); // a small lattice
    CHECK(chosen.at("runtime_overhead").size() == (cores > 1 ? 2 : 1));
    // More than there are cores cannot be one worker; what is asked for is taken.
    for (const int cpus : {cores, cores + 1}) {
        const Json asked = json_of(solves + " --oversubscribe --cpus " + std::to_string(cpus));
        CHECK(engine_workers(asked).at("cpu") == cpus);
        CHECK(engine_workers(asked).at("cores_per_cpu") == 1);
    }
}

TEST_CASE("bench --json is as its schema says")
{
    const Json j = json_of("bench --lattice 4x4x4x8 --tiles 1x1x1x2 --cpus 1 --opencl 0 --cuda 0 "
                           "--repeat 1 --precision double "
                           "--ops hopping,dot,merge_sums,runtime_overhead,engines");
    for (const char* list : {"bandwidth", "operations", "runtime_overhead", "engines"})
        REQUIRE_FALSE(j.at(list).empty());
    check_strict("bench", j);
}

TEST_CASE("bench --grain: smaller tiles are more and smaller tasks, and the parts add up")
{
    const Scratch scratch;
    const std::string folder = scratch / "grain";
    const std::string grain = "bench --grain --lattice 4x4x4x8 --cpus 1 --cuda 0 --opencl 0 "
                              "--sched lws,eager --repeat 2 --ops solve,hop --out " +
                              folder;
    const Json j = json_of(grain);
    check_strict("bench", j);
    CHECK(j.at("operations").empty());
    REQUIRE(j.at("grain").size() == 2);
    for (const Json& workload : j.at("grain")) {
        INFO(workload.at("workload"));
        CHECK(workload.at("complete") == true);
        CHECK(workload.at("extents") == std::vector<int>{4, 4, 4, 8});
        REQUIRE(workload.at("series").size() == 2);
        for (const Json& series : workload.at("series")) {
            CHECK(series.at("half").at("rounds") == 2);
            const Json& tilings = series.at("tilings");
            REQUIRE(tilings.size() == 4); // of 8, 4, 2 and 1 blocks
            CHECK(tilings.front().at("tiles") == std::vector<int>{1, 1, 1, 1});
            CHECK(tilings.back().at("tiles") == std::vector<int>{1, 1, 2, 4});
            double before = 0;
            for (const Json& t : tilings) {
                CHECK(t.at("rounds") == 2);
                CHECK(t.at("tasks") > before);
                before = t.at("tasks");
                const auto mean = [&](const char* key) {
                    return t.at(key).at("mean").get<double>();
                };
                CHECK(mean("task_us") > 0);
                CHECK(mean("efficiency") > 0);
                CHECK(mean("efficiency") < 1);
                CHECK(t.at("tasks").get<double>() * (mean("task_us") + mean("overhead_us")) ==
                      Approx(1e3 * mean("ms"))); // of one worker
            }
        }
    }
    // What it has is not run again.
    const std::string runs = read_text(folder + "/solve/runs.csv");
    CHECK(std::count(runs.begin(), runs.end(), '\n') == 1 + 2 * 2 * 4);
    CHECK(json_of(grain).at("grain")[0].at("series") == j.at("grain")[0].at("series"));
    CHECK(read_text(folder + "/solve/runs.csv") == runs);
    CHECK(read_text(folder + "/hop/efficiency.dat").find("# 1 CPU, eager\n") != std::string::npos);
    CHECK(read_text(folder + "/hop/overhead.gp").find("set logscale y") != std::string::npos);
    const Outcome other = run(grain + " --seed 2"); // another design
    CHECK(other.status == 2);
    CHECK(other.err.find("name another folder") != std::string::npos);
}

TEST_CASE("bench --grain refuses what it cannot measure, in one line")
{
    const std::string small = "bench --grain --lattice 4x4x4x4 --cpus 1 --cuda 0 --opencl 0 ";
    for (const auto& [options, what] : std::map<std::string, std::string>{
             {"--ops hopping", "solve, hop, heat"},
             {"--sched fastest", "StarPU has no scheduler 'fastest'"},
             {"--lattice 2x2x2x2 --cpus 2 --oversubscribe --ops solve", "2x2x2x2 cannot be cut"}}) {
        const Outcome o =
            run(options.find("--lattice") == 0 ? "bench --grain --cuda 0 --opencl 0 " + options
                                               : small + options);
        INFO(options << ": " << o.err);
        CHECK(o.status == 2);
        CHECK(o.err.find(what) != std::string::npos);
        CHECK(std::count(o.err.begin(), o.err.end(), '\n') == 1);
    }
    // A scheduler that never begins fails case by case.
    const Outcome endless = run(small + "--ops hop --repeat 1 --sched graph_test");
    CHECK(endless.status == 4);
    CHECK(endless.err.find("hop: 1 CPU, graph_test, 1x1x1x1") != std::string::npos);
}

TEST_CASE("info says what there is")
{
    const Json j = json_of("info");
    CHECK(j.at("starpu").at("version").get<std::string>().substr(0, 2) == "1.");
    CHECK(j.at("starpu").at("features").at("fxt").is_boolean());
    CHECK(j.at("starpu").at("schedulers").size() > 5);
    CHECK(j.at("starpu").at("workers").size() >= 1);
    CHECK(j.at("bandwidth").at(0).at("threads") == 1);
    for (const Json& rates : j.at("bandwidth")) CHECK(rates.at("read") > 0);
    REQUIRE_FALSE(j.at("peaks").empty());
    CHECK(j.at("peaks").at(0).at("worker") == "CPU");
    CHECK(j.at("peaks").at(0).at("workers") == 1);
    for (const Json& peak : j.at("peaks"))
        for (const char* precision : {"double", "single"}) CHECK(peak.at(precision) > 0);
    CHECK(j.at("limits").at("largest_extent") == 4096);
    for (const Json& m : j.at("missing")) CHECK_FALSE(m.at("remedy").get<std::string>().empty());
}

TEST_CASE("bench: operations on several right-hand sides, each of which is verified")
{
    const std::string bench =
        "bench --lattice 4x4x4x8 --tiles 1x1x1x2 --cpus 1 --opencl 0 --cuda 0 "
        "--repeat 1 --precision both ";
    const Json j = json_of(bench + "--rhs 3");
    CHECK(j.at("rhs") == 3);
    const std::set<std::string> found = names(j.at("operations"));
    CHECK(found.count("hopping_clover") == 1);
    CHECK(found.count("xgemm33x34") == 0);
    for (const Json& row : j.at("operations"))
        if (row.at("operation") == "hopping" && row.at("precision") == "double")
            CHECK(row.at("working_set_bytes") == (384 + 1152 / 3) * 256);
    CHECK(Program(bench + "--rhs 3 --ops xgemm").wait().status == 2);
}
