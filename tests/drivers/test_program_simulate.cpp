// Solves that are simulated, on machines with times that are made up: what follows from them can be
// said. Without the simulator (./bootstrap simulator) they are loudly left out.

#include "tests/drivers/json_schema.hpp"
#include "tests/drivers/program.hpp"
#include "tests/required.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <set>

using namespace qcd::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace
{

/// Each task takes so many seconds; a GPU a tenth.
Json machine(double seconds)
{
    const auto time = [](const char* worker, double s, double bytes) {
        return Json{
            {"operation", "*"}, {"worker", worker}, {"busy", 1}, {"bytes", bytes}, {"seconds", s}};
    };
    const Json bus = {{"bytes_per_second", 5e10}, {"latency_seconds", 1e-6}};
    return {{"format", 1},
            {"name", "made up"},
            {"cores", 4},
            {"cuda",
             {{"count", 2},
              {"model", "none"},
              {"memory_bytes", 1000000000},
              {"to_device", bus},
              {"from_device", bus},
              {"task_seconds", 0}}},
            {"submit_seconds", 0},
            {"task_seconds", 0},
            {"times",
             {time("CPU", seconds, 0), time("CPU", seconds, 1e9), time("CUDA", seconds / 10, 0),
              time("CUDA", seconds / 10, 1e9)}}};
}

/// In a file, as long as it lives.
class MachineFile
{
public:
    explicit MachineFile(const std::string& text) { std::ofstream(path()) << text; }
    explicit MachineFile(const Json& m) : MachineFile(m.dump()) {}
    std::string path() const { return scratch_ / "machine.json"; }

private:
    Scratch scratch_;
};

const std::string job = " --lattice 8x8x8x16 --iterations 6";

Outcome simulate(const MachineFile& m, const std::string& arguments)
{
    return Program("simulate --quiet --machine " + m.path() + job + " " + arguments).wait(60);
}

/// CI sets QCD_REQUIRE=...,simulator: then it has to be there.
bool there_is_a_simulator()
{
    static const Outcome o = simulate(MachineFile(machine(1e-3)), "--cpus 1 --cuda 0");
    if (o.status == 0) return true;
    if (required("simulator")) FAIL("no simulator: " << o.err);
    REQUIRE(o.err == "qcd_starpu: simulate: qcd_starpu_sim is not here: ./bootstrap simulator "
                     "builds it\n");
    REQUIRE(o.status == 4);
    std::cerr << "SKIPPED: no simulator: " << o.err << '\n';
    return false;
}

double predicted(const MachineFile& m, const std::string& arguments)
{
    const Outcome o = simulate(m, arguments);
    INFO(arguments << ": " << o.err);
    REQUIRE(o.status == 0);
    check_valid("simulate", o.json);
    return o.json["seconds"]["solve"];
}

} // namespace

TEST_CASE("simulated tasks take the time that the machine says")
{
    if (!there_is_a_simulator()) return;
    const MachineFile m(machine(1e-3));
    const Outcome one = simulate(m, "--cpus 1 --cuda 0 --tiles 1x1x1x4");
    REQUIRE(one.status == 0);
    const double seconds = one.json["seconds"]["solve"];
    const double tasks = one.json["tasks"];
    CHECK(tasks > 100);
    CHECK(seconds == Approx(1e-3 * tasks).epsilon(0.01));
    CHECK(one.json["operator_applications"] == 6);
    CHECK(one.json["gflops"].get<double>() ==
          Approx(1e-9 * 1320 * 8 * 8 * 8 * 16 * 6 / seconds).epsilon(1e-6));
    // Tasks on tiles are shared, merged sums and scalars are not.
    const double two = predicted(m, "--cpus 2 --cuda 0 --tiles 1x1x1x4");
    CHECK(two < 0.8 * seconds);
    CHECK(two > 0.5 * seconds);
    CHECK(predicted(MachineFile(machine(2e-3)), "--cpus 2 --cuda 0 --tiles 1x1x1x4") ==
          Approx(2 * two).epsilon(0.02));
    CHECK(predicted(m, "--cpus 0 --cuda 1 --tiles 1x1x1x4") < 0.2 * seconds);
    for (const auto& kernel : one.json["kernels"]) {
        INFO(kernel);
        CHECK(kernel["mean_us"].get<double>() == Approx(1000).epsilon(0.001));
    }
}

TEST_CASE("a simulation says the same each time")
{
    if (!there_is_a_simulator()) return;
    const MachineFile m(machine(1e-4));
    const std::string arguments = "--cpus 3 --cuda 0 --tiles 1x1x1x8 --sched lws";
    CHECK(predicted(m, arguments) == predicted(m, arguments));
}

TEST_CASE("schedulers of cores and of devices are simulated")
{
    if (!there_is_a_simulator()) return;
    const MachineFile m(machine(1e-3));
    for (const char* sched :
         {"eager", "prio", "random", "ws", "lws", "dm", "dmda", "dmdas", "dmdar"})
        for (const char* workers : {"--cpus 2 --cuda 0", "--cpus 2 --cuda 2", "--cpus 0 --cuda 2"})
            CHECK(predicted(m, fmt::format("{} --tiles 1x1x1x8 --sched {}", workers, sched)) > 0);
    CHECK(predicted(m, "--cpus 4 --cuda 0 --tiles 1x1x1x4 --plan pinned") > 0);
}

TEST_CASE("devices that are ten times as fast: who asks how long tasks take is not slower")
{
    if (!there_is_a_simulator()) return;
    const MachineFile m(machine(1e-3));
    const std::string workers = "--cpus 2 --cuda 1 --tiles 1x1x1x8 --sched ";
    CHECK(predicted(m, workers + "dmdas") < predicted(m, workers + "eager"));
    CHECK(predicted(m, workers + "dmdas") < predicted(m, workers + "random"));
}

TEST_CASE("a simulated trace has the simulated times")
{
    if (!there_is_a_simulator()) return;
    const MachineFile m(machine(1e-3));
    const Scratch scratch;
    const std::string folder = scratch / "trace";
    const Outcome o = simulate(m, "--cpus 2 --cuda 0 --tiles 1x1x1x4 --trace " + folder);
    REQUIRE(o.status == 0);
    std::ifstream tasks(folder + "/tasks.csv");
    CHECK(std::count(std::istreambuf_iterator<char>(tasks), {}, '\n') ==
          o.json["tasks"].get<long>() + 1);
    const Outcome read = Program("trace --quiet " + folder).wait(60);
    REQUIRE(read.status == 0);
}

TEST_CASE("a machine that is measured here can be simulated")
{
    const Scratch scratch;
    const std::string file = scratch / "machine.json";
    const Outcome o = Program("calibrate --quiet --lattice 8x8x8x16 --cpus 1 --cuda 0 --tiles "
                              "1x1x1x2,1x1x1x4 --repeat 1 --iterations 4 --out " +
                              file)
                          .wait(100);
    INFO(o.err);
    REQUIRE(o.status == 0);
    check_valid("calibrate", o.json);
    std::ifstream in(file);
    const Json written = Json::parse(in);
    CHECK(written["times"] == o.json["times"]);
    CHECK(written["times"].size() > 10);
    std::set<std::string> operations;
    for (const auto& time : written["times"]) {
        INFO(time);
        operations.insert(time["operation"]);
        CHECK(time["busy"] == 1);
        CHECK(time["low"] <= time["seconds"]);
        CHECK(time["seconds"] <= time["high"]);
    }
    for (const char* name : {"hopping_links12_f64", "pack_faces_links12_f64", "cr_update_f64",
                             "merge_sums_f64", "cr_alpha_beta_f64"})
        CHECK(operations.count(name) == 1);
    if (!there_is_a_simulator()) return;
    const Outcome simulated =
        Program("simulate --quiet --machine " + file + job + " --cpus 1 --tiles 1x1x1x4").wait(60);
    CHECK(simulated.status == 0);
}

TEST_CASE("compare --simulate ranks cases on a machine")
{
    if (!there_is_a_simulator()) return;
    const MachineFile m(machine(1e-3));
    const std::string command = "compare --quiet --lattice 8x8x8x16 --iterations 6 --simulate " +
                                m.path() + " --tiles 1x1x1x8 --plan graph ";
    const Outcome o =
        Program(command + "--sched eager,dmdas --workers cpus:2+cuda:1,cuda:2").wait(60);
    INFO(o.err);
    REQUIRE(o.status == 0);
    check_valid("compare-simulate", o.json);
    REQUIRE(o.json["cases"].size() == 4);
    double before = 0;
    for (const auto& c : o.json["cases"]) {
        CHECK(c["seconds"] >= before);
        before = c["seconds"];
    }
    // The CPU workers, ten times as slow, are given tasks by who does not ask.
    CHECK(o.json["cases"][3]["factors"]["sched"] == "eager");
    CHECK(o.json["cases"][3]["factors"]["workers"] == "cpus:2+cuda:1");
    const Outcome lacks = Program(command + "--workers cuda:1,cuda:3").wait(60);
    CHECK(lacks.status == 4);
    REQUIRE(lacks.json["cases"].size() == 2);
    CHECK(lacks.json["cases"][1]["seconds"].is_null());
    CHECK(lacks.json["cases"][1]["failure"] ==
          "3 CUDA workers asked for, 2 found: the simulated machine has fewer");
}

TEST_CASE("compare --simulate simulates what simulate does, whatever the method")
{
    if (!there_is_a_simulator()) return;
    const MachineFile m(machine(1e-3));
    std::set<double> all;
    const std::string methods[]{"",
                                "--solver gcr",
                                "--solver gcr --restart 2",
                                "--solver gcr --precondition mr:4",
                                "--solver gcr --precondition mr:5",
                                "--solver gcr --precondition mr:4 --domain 4x4x4x4",
                                "--solver gcr --precondition schwarz:4 --domain 4x4x4x4",
                                "--solver cg --even-odd off --csw 1"};
    for (const std::string& method : methods) {
        const Outcome o = Program("compare --quiet --simulate " + m.path() + job +
                                  " --workers cpus:2 --tiles 1x1x1x4 " + method)
                              .wait(60);
        INFO(method << o.err);
        REQUIRE(o.status == 0);
        const double seconds = o.json["cases"][0]["seconds"];
        CHECK(seconds == predicted(m, "--cpus 2 --cuda 0 --tiles 1x1x1x4 " + method));
        CHECK(all.insert(seconds).second); // each has a time of its own
    }
}

TEST_CASE("nodes of a simulated machine share the lattice, and their network counts")
{
    if (!there_is_a_simulator()) return;
    const auto nodes = [](int count, double bytes_per_second, double latency = 1e-6) {
        Json m = machine(1e-3);
        m["nodes"] = {
            {"count", count},
            {"network", {{"bytes_per_second", bytes_per_second}, {"latency_seconds", latency}}}};
        return m;
    };
    const std::string one_tile_each = "--cpus 1 --cuda 0";
    const MachineFile fast(nodes(3, 1e11)), slow(nodes(3, 3e6));
    const Outcome o = simulate(fast, one_tile_each);
    INFO(o.err);
    REQUIRE(o.status == 0);
    check_valid("simulate", o.json);
    CHECK(o.err.empty());
    CHECK(o.json["machine"]["nodes"] == 3);
    CHECK(o.json["plan"]["ranks"] == Json{1, 1, 1, 3});
    // These are a rank's tasks: some have faces beside, and scalars are of each rank.
    const double seconds = o.json["seconds"]["solve"];
    CHECK(seconds >= 1e-3 * o.json["tasks"].get<double>());
    CHECK(seconds < 1.2e-3 * o.json["tasks"].get<double>());
    CHECK(predicted(slow, one_tile_each) > 2 * seconds);
    CHECK(predicted(fast, one_tile_each) == seconds);
    // Each of the messages that wait for each other takes the latency once, and nothing else of it.
    const auto with_latency = [&](double latency) {
        return predicted(MachineFile(nodes(2, 1e11, latency)), one_tile_each);
    };
    const double messages = (with_latency(4e-3) - with_latency(2e-3)) / 2e-3;
    CHECK(messages >= 4 * o.json["iterations"].get<double>()); // faces and sums, twice each
    CHECK(messages == Approx(std::round(messages)));
    const Outcome two = Program("simulate --quiet --machine " + fast.path() +
                                " --lattice 4x4x4x4 --iterations 2 --cpus 1 --cuda 0")
                            .wait(60);
    CHECK(two.status == 2);
    CHECK(two.err ==
          "qcd_starpu: mpirun: 4x4x4x4 cannot be cut into parts for 3 ranks, in t, z and "
          "y, each at least 2 sites thick\n");
}

TEST_CASE("the simulated ranking is the measured one where that is certain", "[long]")
{
    if (!there_is_a_simulator() || !works("opencl", "--cpus 1 --opencl 1")) return;
    // Tasks of a tenth of a millisecond: of shorter ones what StarPU does between them decides.
    const Scratch scratch;
    const std::string file = scratch / "machine.json",
                      problem = " --quiet --lattice 16x16x16x16 --iterations 8";
    REQUIRE(Program("calibrate" + problem +
                    " --opencl 1 --cuda 0 --tiles 1x1x1x8 --repeat 1 --out " + file)
                .wait(200)
                .status == 0);
    const std::string cases = " --plan graph --tiles 1x1x1x8 --sched lws,dmdas "
                              "--workers cpus:2,cpus:1+opencl:1";
    const Outcome measured =
        Program("compare" + problem + cases + " --repeat 3 --out " + (scratch / "c")).wait(280);
    const Outcome simulated = Program("compare --simulate " + file + problem + cases).wait(60);
    INFO(measured.err << simulated.err);
    REQUIRE(measured.status == 0);
    REQUIRE(simulated.status == 0);
    const auto prediction = [&](const Json& name) {
        for (const auto& c : simulated.json["cases"])
            if (c["name"] == name) return c["seconds"].get<double>();
        throw std::runtime_error("a case is not simulated");
    };
    const auto& ranked = measured.json["ranking"]["cases"];
    const double best = prediction(ranked[0]["name"]);
    int certain = 0;
    for (std::size_t i = 1; i < ranked.size(); ++i) {
        INFO(ranked[i]);
        const auto& to_best = ranked[i]["to_best"];
        // 1.5: calibrated in another minute than the cases ran in.
        if (to_best["differs"] != true || to_best["ratio"] < 1.5) continue;
        CHECK(prediction(ranked[i]["name"]) > best);
        ++certain;
    }
    if (certain == 0) std::cerr << "NOT COMPARED: other work hides all differences\n";
}

TEST_CASE("bad machines are refused in one line")
{
    const auto refused = [](const std::string& text) {
        const MachineFile file(text);
        const Outcome o = simulate(file, "");
        CHECK(o.status == 2);
        CHECK(std::count(o.err.begin(), o.err.end(), '\n') == 1);
        const std::string begin = "qcd_starpu: machine '" + file.path() + "': ";
        INFO(o.err);
        REQUIRE(o.err.starts_with(begin));
        return o.err.substr(begin.size(), o.err.size() - begin.size() - 1);
    };
    const auto changed = [&](const char* pointer, const Json& value) {
        Json m = machine(1e-3);
        m[Json::json_pointer(pointer)] = value;
        return refused(m.dump());
    };
    const auto without = [&](const char* in, const char* key) {
        Json m = machine(1e-3);
        m[Json::json_pointer(in)].erase(key);
        return refused(m.dump());
    };
    CHECK(refused("") == "it is no JSON, at byte 1");
    CHECK(refused("{\"format\": 1,") == "it is no JSON, at byte 14");
    CHECK(refused("[]") == "is not an object");
    CHECK(without("", "cores") == "has no 'cores'");
    CHECK(without("/cuda", "to_device") == "cuda has no 'to_device'");
    CHECK(without("/times/1", "worker") == "times[1] has no 'worker'");
    CHECK(changed("/format", 2) == "'format' is '2', not a whole number from 1 to 1");
    CHECK(changed("/cores", 0) == "'cores' is '0', not a whole number from 1 to 128");
    CHECK(changed("/cores", 2.5) == "'cores' is '2.5', not a whole number from 1 to 128");
    CHECK(changed("/cuda/to_device/bytes_per_second", 0) ==
          "cuda.to_device 'bytes_per_second' is '0', not a number of at least 1");
    CHECK(changed("/times/0/seconds", -1) ==
          "times[0] 'seconds' is '-1', not a number of at least 0");
    CHECK(changed("/times/0/seconds", "fast") ==
          "times[0] 'seconds' is '\"fast\"', not a number of at least 0");
    CHECK(changed("/times/0/worker", "FPGA") ==
          "times[0] \"worker\" is 'FPGA', none of CPU, CUDA, OpenCL");
    CHECK(changed("/times/0/with", 3) == "times[0] \"with\" is no list of names");
    CHECK(changed("/times", Json::array()) ==
          "\"times\" is empty: no task has a time (qcd_starpu calibrate)");
    CHECK(changed("/nodes", {{"count", 0}}) ==
          "nodes 'count' is '0', not a whole number from 1 to 256");
    CHECK(changed("/nodes", {{"count", 2}}) == "nodes has no 'network'");
    CHECK(changed("/coars", 4).starts_with("has 'coars', which is none of "));
}

TEST_CASE("what a machine lacks is said in one line")
{
    if (!there_is_a_simulator()) return;
    const MachineFile m(machine(1e-3));
    const auto line = [&](const std::string& arguments, int status, const MachineFile& file) {
        const Outcome o = simulate(file, arguments);
        CHECK(o.status == status);
        CHECK(std::count(o.err.begin(), o.err.end(), '\n') == 1);
        return o.err;
    };
    CHECK(line("--cpus 9 --cuda 0", 4, m) ==
          "qcd_starpu: --cpus: 9 CPU workers asked for, the machine has 4 cores\n");
    CHECK(line("--cuda 3", 4, m) == "qcd_starpu: 3 CUDA workers asked for, 2 found: the simulated "
                                    "machine has fewer\n");
    Json none = machine(1e-3);
    for (auto& time : none["times"]) time["operation"] = "other";
    CHECK(line("--cpus 1 --cuda 0", 2, MachineFile(none)).find("machine: it has no time of ") !=
          std::string::npos);
}
