// What was chosen can be typed: the printed command gives the same plan, tasks and digest.

#include "tests/drivers/json_schema.hpp"
#include "tests/drivers/program.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdio>
#include <sys/wait.h>

using namespace qcd::test;
using Json = nlohmann::json;

namespace
{

/// The command without the program's name.
std::string command_of(const Json& j)
{
    const std::string command = j.at("command");
    REQUIRE(command.starts_with("qcd_starpu "));
    return command.substr(std::string("qcd_starpu ").size());
}

void check_typed_again(const std::string& line)
{
    INFO(line);
    const Json first = solve(line), again = solve(command_of(first));
    INFO(first.at("command"));
    Json a = first.at("plan"), b = again.at("plan");
    if (a.is_object()) a.erase("why"), b.erase("why"); // it was asked for now
    CHECK(a == b);
    for (const char* key : {"command", "tasks", "iterations", "solution", "workers", "tiles"})
        CHECK(first.at(key) == again.at(key));
}

const std::string job = "--lattice 8x4x8x12 --gauge weak:0.3,5 ";

} // namespace

TEST_CASE("the printed command runs the same again: cores")
{
    const std::string cores = job + "--cuda 0 --opencl 0 ";
    for (const char* more :
         {"--iterations 9",
          "--iterations 9 --plan graph",
          "--iterations 9 --plan pinned",
          "--tol 1e-4 --plan pinned --tiles 1x1x2x4 --solver cg",
          "--iterations 9 --plan batch",
          "--iterations 9 --plan batch:2",
          "--iterations 9 --plan replay",
          "--iterations 9 --cpus 1",
          "--iterations 9 --cpus 2",
          "--iterations 9 --cpus 1 --plan graph",
          "--iterations 9 --cores-per-worker 2",
          "--iterations 9 --cores-per-worker 1",
          "--iterations 9 --sched lws",
          "--iterations 9 --sched eager --tiles 1x1x1x1",
          "--iterations 9 --tiles 1x1x1x1",
          "--iterations 9 --tiles 2x1x2x3",
          "--iterations 9 --tiles 1x1x1x1 --plan graph",
          "--iterations 9 --cpus 1 --cores-per-worker 2 --plan graph --tiles 1x1x2x2",
          "--tol 1e-3 --solver cg",
          "--tol 1e-4 --solver bicgstab --even-odd off --mubar 0.1",
          "--mass 0.3 --precision single --links 8",
          "--tol 1e-4 --csw -0.7 --solver cg",
          "--kappa 0.1 --boundary periodic --repeat 2",
          "--source point:0,0,2,3,1,2 --kappa 0.12 --solver cr --tol 1e-6"})
        check_typed_again(cores + more);
    for (const char* engine : {"--engine sequential", "--engine openmp"})
        check_typed_again(job + "--iterations 5 " + engine);
}

TEST_CASE("the printed command runs the same again: devices, and cores beside them")
{
    for (const std::string kind : {"opencl", "cuda"}) {
        const bool cuda = kind == "cuda";
        const std::string device = cuda ? "--cuda 1 --opencl 0 " : "--cuda 0 --opencl 1 ";
        if (!works(kind, "--cpus 0 " + device)) continue;
        for (const char* more :
             {"--cpus 0", "--cpus 0 --plan graph", "--cpus 0 --plan batch:3",
              "--cpus 0 --plan pinned --tiles 1x1x1x3", "--cpus 0 --tiles 1x1x2x2",
              "--cpus 0 --sched eager", "--cpus 1", "--cpus 1 --plan pinned",
              "--cpus 1 --sched dmda --tiles 1x1x1x4", "--cpus 1 --split 0.7",
              "--cpus 1 --split 0.7 --plan pinned", "--cpus 1 --split 1", "--cpus 1 --split 0",
              "--cpus 0 --solver cg --precision single"})
            check_typed_again(job + "--iterations 6 " + device + more);
    }
}

TEST_CASE("solve --json with --split is as its schema says")
{
    const std::string both = "--cpus 1 --cuda 0 --opencl 1";
    if (!works("opencl", both)) return;
    check_valid("solve", solve("--lattice 4x4x4x8 --iterations 3 --split 0.5 " + both));
}

TEST_CASE("--split auto measures no longer than a tenth of the solve, and says so")
{
    const std::string both = "--cpus 1 --cuda 0 --opencl 1";
    if (!works("opencl", both)) return;
    const Outcome o = run("--lattice 8x8x8x8 --iterations 1 --split auto " + both);
    INFO(o.out << o.err);
    REQUIRE(o.status == 0);
    check_valid("solve", o.json);
    const Json& split = o.json.at("split");
    const double budget = split.at("budget_seconds");
    CHECK(budget == Approx(0.1 * split.at("predicted_seconds").get<double>()));
    // A measurement of several iterations is longer than a tenth of one: it ends after the first.
    CHECK(split.at("seconds") > budget);
    for (const char* kind : {"devices", "cores"})
        CHECK(split.at("msites_per_s").at(kind).is_null());
    CHECK((split.at("device_share") == 0 || split.at("device_share") == 1)); // 0 with PoCL
    CHECK_THAT(o.out, Catch::Contains("no time was left to measure the cores") &&
                          Catch::Contains("; measured for "));
}

TEST_CASE("contradictions: one line, status 2")
{
    for (const std::string more :
         {"--plan batch --cpus 2", "--plan batch --tiles 1x1x1x2", "--plan batch --sched lws",
          "--plan pinned --sched lws", "--plan pinned --cpus 2 --tiles 1x1x1x1",
          "--plan linked --cpus 2", "--plan linked"}) {
        const Outcome o = run(job + "--cuda 0 --iterations 3 " + more);
        INFO(more << ": " << o.err);
        CHECK(o.status == 2);
        CHECK(o.err.starts_with("qcd_starpu: --plan "));
        CHECK(o.err.find('\n') == o.err.size() - 1);
    }
}

TEST_CASE("a schedule is saved, replayed from its file, and refused where it was spoilt")
{
    const Scratch folder;
    const std::string file = (folder.path() / "schedule.json").string(),
                      line = job + "--cuda 0 --opencl 0 --cpus 1 --tiles 1x1x1x3 --solver cg "
                                   "--iterations 40 ";
    const Json graph = solve(line + "--plan graph"),
               taken = solve(line + "--plan replay --save-schedule " + file),
               given = solve(line + "--plan replay:" + file);
    check_valid("solve", taken);
    for (const Json& other : {taken, given}) {
        CHECK(other.at("solution") == graph.at("solution"));
        CHECK(other.at("residual_history") == graph.at("residual_history"));
        CHECK(other.at("tasks") < graph.at("tasks"));
    }
    int replayed = 0;
    for (const Json& schedule : given.at("plan").at("schedules"))
        replayed += schedule.at("replayed").get<int>();
    CHECK(replayed == 40);
    Json saved = Json::parse(read_text(file));
    check_valid("schedule", saved);
    const Outcome drawn = run("trace " + file); // without running it
    CHECK(drawn.status == 0);
    CHECK_THAT(drawn.out, Catch::Contains("their longest chain takes"));
    CHECK(drawn.json.at("tasks") ==
          taken.at("plan").at("schedules")[0].at("operations").get<int>() +
              taken.at("plan").at("schedules")[1].at("operations").get<int>());
    const auto check_refused = [&](const Json& spoilt, const std::string& why) {
        write_text(file, spoilt.dump());
        const Outcome o = run(line + "--plan replay:" + file);
        INFO(o.err);
        CHECK(o.status == 2);
        CHECK_THAT(o.err, Catch::Contains(why));
        CHECK(o.err.find('\n') == o.err.size() - 1);
    };
    Json spoilt = saved;
    spoilt.at("workers") = {"CPU", "CPU"};
    check_refused(spoilt, "its lists are of other workers (CPU, CPU) than this run has (CPU)");
    spoilt = saved;
    auto& list = spoilt.at("schedules")[0].at("lists")[0];
    std::reverse(list.begin(), list.end());
    check_refused(spoilt, "would wait for ever");
    list.erase(0);
    check_refused(spoilt, "operations, the iteration has");
    spoilt = saved;
    spoilt.at("schedules")[0].erase("lists");
    check_refused(spoilt, "no schedules");
    spoilt = saved;
    spoilt.at("schedules") = Json::array();
    check_refused(spoilt, "there is no schedule in it");
    write_text(file, "{");
    CHECK_THAT(run(line + "--plan replay:" + file).err, Catch::Contains("this is no JSON"));
    // A solve without repeated iterations has nothing to save: said, status 2, and its result stays.
    const Outcome early = run(job +
                              "--cuda 0 --opencl 0 --cpus 1 --iterations 3 --plan replay "
                              "--save-schedule " +
                              file);
    CHECK(early.status == 2);
    CHECK_THAT(early.err, Catch::Contains("nothing to write"));
    CHECK(std::count(early.err.begin(), early.err.end(), '\n') == 1);
    CHECK_THAT(early.out, Catch::Contains("digest of x"));
    CHECK(early.json.at("iterations") == 3);
}

TEST_CASE(
    "a schedule by hand for a core beside a device: copies stand in its lists, bits are the same")
{
    if (!works("opencl", "--cpus 1 --opencl 1 --cuda 0")) return;
    const Scratch folder;
    const std::string file = (folder.path() / "schedule.json").string(),
                      line = job + "--cuda 0 --opencl 1 --cpus 1 --tiles 1x1x1x3 --solver cg "
                                   "--iterations 40 --sched eager ";
    const Json graph = solve(line + "--plan graph");
    (void)solve(line + "--plan replay --save-schedule " + file);
    Json made = Json::parse(read_text(file));
    CHECK(made.at("workers") == Json{"CPU", "OpenCL"});
    for (Json& s : made.at("schedules")) { // the last tile is the device's
        Json lists{Json::array(), Json::array()};
        for (std::size_t o = 0; o < s.at("operations").size(); ++o)
            lists[s.at("operations")[o].at("tile") == 2].push_back(o);
        s.at("lists") = lists;
    }
    write_text(file, made.dump());
    const Json replayed = solve(line + "--plan replay:" + file);
    check_valid("solve", replayed);
    CHECK(replayed.at("solution") == graph.at("solution"));
    CHECK(replayed.at("residual_history") == graph.at("residual_history"));
    for (const Json& s : replayed.at("plan").at("schedules")) {
        // Faces of four hops, in both directions, and sums and scalars.
        CHECK(s.at("copies").get<long>() > 8 * s.at("replayed").get<long>());
        CHECK(s.at("copied_bytes") > 0);
    }
    // StarPU moves as much where it has the same operations on the same workers, a tile's on its
    // owner: in the last twenty iterations, as the first ones bring links and source.
    const std::string pinned =
        job +
        "--cuda 0 --opencl 1 --cpus 1 --tiles 1x1x1x3 --solver cg --plan pinned --iterations ";
    const auto moved = [&](const char* iterations) {
        return solve(pinned + iterations).at("bytes_moved").get<double>();
    };
    double copied = 0, iterations = 0;
    for (const Json& s : replayed.at("plan").at("schedules")) {
        copied += s.at("copied_bytes").get<double>();
        iterations += s.at("replayed").get<double>();
    }
    CHECK(copied / iterations == Approx((moved("40") - moved("20")) / 20).epsilon(0.02));
}

TEST_CASE("--quiet and --json do not change the plan; one worker has nothing to schedule")
{
    const std::string line = job + "--cuda 0 --iterations 4";
    CHECK(solve(line).at("plan") == solve(line + " --quiet").at("plan"));
    CHECK(solve(line + " --cpus 1").at("scheduler") == "none");
    CHECK(solve(line + " --plan pinned").at("plan").at("scheduler") == "none");
}

namespace
{

/// What it prints on a dry run, which writes no JSON.
std::string dry_run(const std::string& line, int status = 0)
{
    FILE* pipe = popen((program() + " " + line + " --dry-run 2>&1").c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string text;
    for (int c; (c = std::fgetc(pipe)) != EOF;) text += char(c);
    CHECK(WEXITSTATUS(pclose(pipe)) == status);
    return text;
}

} // namespace

TEST_CASE("--dry-run refuses what a run would refuse")
{
    CHECK_THAT(dry_run(job + "--cuda 0 --opencl 0 --gpu-memory 1G", 4),
               Catch::StartsWith("qcd_starpu: --gpu-memory: no device"));
}

TEST_CASE("a dry run of propagator prints the command that has its plan")
{
    const std::string said = dry_run("propagator --lattice 4x4x4x4 --cpus 1 --cuda 0 --opencl 0 "
                                     "--point 0,1,0,2 --smeared 1,4 --plan graph");
    CHECK_THAT(said, Catch::Contains("  plan             graph: 1 tile") && Catch::Contains("MiB"));
    CHECK_THAT(said, Catch::Contains("qcd_starpu propagator --point 0,1,0,2 --smeared 1,4 "
                                     "--lattice 4x4x4x4 --gauge weak:0.2"));
    CHECK_THAT(said, !Catch::Contains("--source") && !Catch::Contains("D S = 1"));
    const std::string command = said.substr(said.find("qcd_starpu propagator") + 11);
    CHECK(dry_run(command.substr(0, command.find('\n'))) == said);
}

TEST_CASE("--dry-run says what would run: plan, command, memory, tasks an iteration")
{
    for (const char* plan :
         {"--plan graph --cpus 2", "--plan pinned --cpus 2", "--plan graph --cpus 1"})
        for (const char* method : {"", "--solver cg", "--solver bicgstab --even-odd off"}) {
            const std::string line =
                job + "--cuda 0 --opencl 0 --tiles 1x1x3x4 " + plan + " " + method;
            INFO(line);
            const std::string said = dry_run(line);
            CHECK_THAT(said, Catch::Contains("\n  command ") && Catch::Contains("MiB"));
            const auto tasks = [&](int n) {
                return solve(line + " --iterations " + std::to_string(n)).at("tasks").get<long>();
            };
            const long an_iteration = (tasks(12) - tasks(8)) / 4;
            CHECK_THAT(said, Catch::Contains("tasks           " + std::to_string(an_iteration) +
                                             " an iteration\n"));
        }
    CHECK_THAT(dry_run(job + "--engine openmp --cpus 2"),
               Catch::Contains("--engine openmp --cpus 2"));
}
