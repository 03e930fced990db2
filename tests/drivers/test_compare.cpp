// The program as a user runs it: `compare` on a tiny lattice.

#include "tests/drivers/json_schema.hpp"
#include "tests/drivers/program.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

using namespace qcd::test;
using Json = nlohmann::json;
using Catch::Contains;

namespace
{

const std::string job = "--lattice 4x4x4x8 --cpus 1 --opencl 0 --cuda 0 ";

/// compare has its workers in lists.
const std::string problem = "compare --lattice 4x4x4x8 ";

std::size_t lines_of(const std::string& text)
{
    return std::size_t(std::count(text.begin(), text.end(), '\n'));
}

/// Each bound is one, and what the run lost adds up to the rest.
void check_bounds(const Json& compared)
{
    const Json& cases = compared.at("bounds").at("cases");
    CHECK(cases.size() == compared.at("ranking").at("cases").size());
    for (const Json& c : cases) {
        INFO(c.dump());
        const Json& bound = c.at("bound");
        REQUIRE(bound.is_object());
        const double seconds = bound.at("seconds");
        CHECK(seconds > 0);
        CHECK(seconds <= bound.at("best"));
        const Json& run = bound.at("run");
        REQUIRE(run.is_object());
        double sum = seconds;
        for (const Json& lost : run.at("losses")) {
            CHECK(lost >= -1e-9);
            sum += lost.get<double>();
        }
        CHECK(sum == Approx(run.at("seconds").get<double>()));
    }
}

} // namespace

TEST_CASE("compare: no run is faster than its bound, and the losses add up", "[long]")
{
    const Scratch folder;
    const std::string workers = GENERATE("cpus:2", "cpus:1", "cpus:1x2", "cpus:1+opencl:1");
    const bool several = workers == "cpus:1+opencl:1";
    if (std::thread::hardware_concurrency() < 2) return;
    const Outcome o = run("compare --lattice 8x8x8x8 --plan graph --sched eager,dmda --tiles "
                          "1x1x1x1,1x1x1x4 --repeat 3 --workers " +
                          workers + " --out " + folder.path().string());
    INFO(o.err << o.out);
    if (several && o.status == 4) {
        WARN("no OpenCL device here");
        return;
    }
    REQUIRE(o.status == 0);
    check_valid("compare", o.json);
    check_bounds(o.json);
    for (const Json& c : o.json.at("bounds").at("cases")) {
        const Json& shares = c.at("bound").at("shares");
        CHECK(shares.size() == (several ? 2 : 0));
        double bound = 0, measured = 0;
        for (const Json& s : shares) {
            bound += s.at("bound").get<double>();
            measured += s.at("measured").get<double>();
        }
        if (several) CHECK(bound == Approx(1));
        if (several) CHECK(measured == Approx(1));
    }
    CHECK_THAT(o.out, Contains("bound"));
}

TEST_CASE("compare runs every case in every round, with the digest of a solve, and ranks them")
{
    const Scratch folder;
    const std::string command = problem +
                                "--plan auto,graph --tiles 1x1x1x2,1x1x1x4 --workers cpus:1 "
                                "--repeat 2 --out " +
                                (folder / "new");
    const Outcome o = run(command);
    INFO(o.err << o.out);
    REQUIRE(o.status == 0);
    check_valid("compare", o.json);
    CHECK(o.json.at("digest") == solve(job).at("solution").at("digest"));
    CHECK(o.json.at("interrupted") == false);
    const Json& cases = o.json.at("ranking").at("cases");
    REQUIRE(cases.size() == 4);
    CHECK(o.json.at("ranking").at("pairs") == 6);
    std::set<std::string> names;
    for (const Json& c : cases) {
        names.insert(c.at("name"));
        CHECK(c.at("rounds") == 2);
        CHECK(c.at("to_best").at("ratio") >= 1);
    }
    CHECK(names.count("plan graph, tiles 1x1x1x4") == 1);
    check_bounds(o.json);
    CHECK(Json::parse(read_text(folder / "new/compare.json")) == o.json);
    const std::string runs = read_text(folder / "new/runs.csv");
    CHECK(lines_of(runs) == 1 + 3 * 4);
    CHECK_FALSE(read_text(folder / "new/runs.Rmd").empty());
    for (const char* chart : {"time", "speedup", "parts", "idle"})
        CHECK_FALSE(read_text(folder / ("new/" + std::string(chart) + ".gp")).empty());
    SECTION("the same again runs nothing")
    {
        const Outcome again = run(command);
        CHECK(again.status == 0);
        CHECK(read_text(folder / "new/runs.csv") == runs);
        CHECK(again.json.at("bounds") == o.json.at("bounds"));
        CHECK(again.json.at("runtime") == o.json.at("runtime"));
        CHECK(again.json.at("warnings") == o.json.at("warnings"));
    }
    SECTION("what was cut off is measured again")
    {
        write_text(folder / "new/runs.csv", runs.substr(0, runs.size() - 30));
        CHECK(run(command).status == 0);
        CHECK(lines_of(read_text(folder / "new/runs.csv")) == 1 + 3 * 4 + 1); // and its warm-up
    }
    SECTION("another design is refused")
    {
        const Outcome other = run(command + " --mass 0");
        CHECK(other.status == 2);
        CHECK_THAT(other.err, Contains("another design") && Contains("common/problem"));
        CHECK(read_text(folder / "new/runs.csv") == runs);
    }
}

TEST_CASE("compare: a graph beside the replay of its own schedule, and where the graph's time went")
{
    const Scratch folder;
    const Outcome o = run(problem +
                          "--plan graph,replay --sched lws,dmda --tiles 1x1x1x2 "
                          "--iterations 60 --workers cpus:1 --repeat 2 --out " +
                          (folder / "new"));
    INFO(o.err << o.out);
    REQUIRE(o.status == 0);
    check_valid("compare", o.json);
    const Json& runtime = o.json.at("runtime");
    REQUIRE(runtime.at("pairs").size() == 2);
    for (const Json& pair : runtime.at("pairs")) {
        const std::string graph = pair.at("graph"), replay = pair.at("replay");
        CHECK(graph.starts_with("plan graph, sched "));
        CHECK(replay == "plan replay" + graph.substr(graph.find(',')));
        CHECK(pair.at("rounds") == 2);
        CHECK(pair.at("low") <= pair.at("ratio"));
        CHECK(pair.at("ratio") <= pair.at("high"));
    }
    REQUIRE(runtime.at("splits").size() == 2); // the graphs alone
    for (const Json& split : runtime.at("splits")) {
        CHECK(split.at("tasks") > 60);
        double sum = 0;
        for (const char* piece : {"executing", "waiting", "submission", "dependencies", "decision",
                                  "queueing", "data", "other"})
            sum += split.at(piece).get<double>();
        CHECK(sum == Approx(split.at("seconds").get<double>()));
        CHECK(split.at("executing") > 0);
        CHECK(split.at("decision") > 0);
        CHECK(split.at("submitting") > 0);
    }
    CHECK_THAT(o.out, Contains("a graph beside the replay of its own schedule"));
}

TEST_CASE("compare: a case that cannot run is named, with status 4, and the others go on")
{
    const Scratch folder;
    const Outcome o = run(problem +
                          "--sched eager,lws --plan graph,batch --tiles 1x1x1x2 --repeat "
                          "1 --workers cpus:1,cuda:77 --out " +
                          folder.path().string());
    INFO(o.err << o.out);
    CHECK(o.status == 4);
    const Json& cases = o.json.at("ranking").at("cases");
    REQUIRE(cases.size() == 8);
    const auto failed = std::count_if(cases.begin(), cases.end(),
                                      [](const Json& c) { return !c.at("failure").is_null(); });
    CHECK(failed == 6); // batch has one tile, and no scheduler
    CHECK_THAT(
        o.out,
        Contains(
            "not ranked: plan graph, sched eager, workers cuda:77: 77 CUDA workers asked for"));
}

TEST_CASE("compare: nonsense ends with status 2 before anything runs")
{
    const Scratch folder;
    const std::string out = " --out " + (folder / "new");
    for (const char* lists :
         {"--plan graph,nonsense", "--plan graph:4", "--sched lws,nonsense", "--sched all,lws",
          "--tiles 1x1x1x2,1x1", "--tiles 1x1x1x2,", "--split 0.5,2", "--workers cpus:0",
          "--workers cpus:1+cpus:2", "--workers gpus:1", "--workers cpus:1xx2",
          "--sched lws --cases /dev/null", "--cases /nonexistent", "--split 0.5 --tiles 1x1x1x2",
          "--sched lws --repeat 0", "--sched lws --save-gauge g", "--sched lws --seed -1"}) {
        const Outcome o = run(problem + lists + out);
        INFO(lists << '\n' << o.err);
        CHECK(o.status == 2);
        CHECK(lines_of(o.err) == 1);
        CHECK_FALSE(std::filesystem::exists(folder / "new"));
    }
    CHECK(run(problem + "--sched lws --out /proc/none").status == 2);
    CHECK_THAT(run("--lattice 4x4x4x8 --tiles 1x1x1x2 --cpus 1 --sched graph_test").err,
               Contains("begins no task")); // it would wait for ever
    write_text(folder / "cases.csv", "tiles,sched\nauto,lws\nauto,nobody\n");
    const Outcome o = run(problem + "--cases " + (folder / "cases.csv") + out);
    CHECK(o.status == 2);
    CHECK_THAT(o.err, Contains("line 3: StarPU has no scheduler 'nobody'"));
    CHECK_FALSE(std::filesystem::exists(folder / "new"));
}

TEST_CASE("compare: cases of a file, each with what it leaves open")
{
    const Scratch folder;
    write_text(folder / "cases.csv", "plan,tiles,sched\n,,\ngraph,1x1x1x2,eager\n"
                                     "graph,1x1x1x2,eager\npinned,1x1x1x2,\n");
    const Outcome o = run(problem + "--cases " + (folder / "cases.csv") + " --repeat 1 --out " +
                          (folder / "new"));
    INFO(o.err << o.out);
    REQUIRE(o.status == 0);
    CHECK_THAT(o.out, Contains("4 cases, 1 round after a warm-up: 8 runs"));
    std::set<std::string> names;
    for (const Json& c : o.json.at("ranking").at("cases")) names.insert(c.at("name"));
    CHECK(names == std::set<std::string>{"as chosen", "plan graph, tiles 1x1x1x2, sched eager",
                                         "plan graph, tiles 1x1x1x2, sched eager #2",
                                         "plan pinned, tiles 1x1x1x2"});
    CHECK(o.json.at("calibration").at("runs") == 0); // nobody asks models
}

TEST_CASE("compare: models are measured before the rounds, once, and not in them", "[long]")
{
    const Scratch folder;
    const std::string home = "STARPU_HOME=" + folder.path().string();
    const std::string command = "compare --lattice 4x4x4x8 --sched dmda,lws --tiles 1x1x1x2 "
                                "--workers cpus:1 --repeat 2 --out " +
                                (folder / "new");
    const auto models = [&] {
        std::map<std::string, std::string> texts;
        for (const auto& file :
             std::filesystem::directory_iterator(folder / ".starpu/sampling/codelets/45"))
            texts[file.path().filename()] = read_text(file.path());
        return texts;
    };
    const Outcome o = run(command, home);
    INFO(o.err << o.out);
    REQUIRE(o.status == 0);
    check_valid("compare", o.json);
    const Json c = Json::parse(read_text(folder / "new/calibration.json"));
    CHECK(c.at("runs") >= 1);
    CHECK(c.at("models").size() > 4);
    for (const Json& model : c.at("models")) {
        INFO(model.dump());
        CHECK(model.at("timings") >= 1);
        CHECK(model.at("worker") == "CPU");
    }
    // On a machine with much else to do StarPU may leave out so many timings that it has too few,
    // and measures on.
    const auto few = std::count_if(c.at("models").begin(), c.at("models").end(),
                                   [](const Json& model) { return model.at("timings") < 10; });
    CHECK(o.json.at("calibration").at("short_of_timings") == few);
    CHECK(few <= 2);
    const auto changed = [](const Outcome& r) {
        return r.err.find("models changed") != std::string::npos;
    };
    if (few == 0) CHECK_FALSE(changed(o));
    CHECK(o.json.at("calibration").at("models") == c.at("models").size());
    // Goes on without measuring models again.
    const auto before = models();
    const std::string runs = read_text(folder / "new/runs.csv");
    write_text(folder / "new/runs.csv", runs.substr(0, runs.size() - 30));
    const Outcome again = run(command, home);
    CHECK(again.status == 0);
    if (few == 0) {
        CHECK_FALSE(changed(again));
        CHECK(models() == before);
    }
    CHECK(Json::parse(read_text(folder / "new/calibration.json")) == c);
    // Somebody else measures: that is said.
    write_text(folder / "new/runs.csv", runs.substr(0, runs.size() - 30));
    CHECK(
        run("--lattice 4x4x4x8 --sched dmda --tiles 1x1x1x2 --cpus 1", home + " STARPU_CALIBRATE=1")
            .status == 0);
    CHECK_THAT(run(command, home).err, Contains("performance models changed since rounds began"));
}

TEST_CASE("compare: cores and PoCL, whose times are told apart", "[long]")
{
    if (!works("opencl", "--cpus 0 --opencl 1")) return;
    const Scratch folder;
    const Outcome o = run(problem +
                          "--sched dmda,heteroprio,eager --tiles 1x1x1x2 "
                          "--workers cpus:1+opencl:1 --repeat 1 --out " +
                          folder.path().string());
    INFO(o.err << o.out);
    REQUIRE(o.status == 0);
    check_valid("compare", o.json);
    CHECK(o.json.at("digest") == solve(job).at("solution").at("digest"));
    CHECK_THAT(o.err, Contains("PoCL computes in the thread of its worker alone"));
    CHECK_THAT(read_text(folder / "parts.dat"), Contains("hopping, devices"));
}

TEST_CASE("compare: a case with PoCL runs whether or not one without it came first")
{
    if (!works("opencl", "--cpus 0 --opencl 1")) return;
    std::set<std::string> first;
    for (int seed = 1; seed <= 4; ++seed) {
        const Scratch folder;
        const Outcome o = run(fmt::format("compare --lattice 4x4x4x8 --sched lws --tiles 1x1x1x2 "
                                          "--workers cpus:1,cpus:1+opencl:1 --repeat 1 --seed {} "
                                          "--out {}",
                                          seed, folder / "new"));
        INFO(o.err << o.out);
        CHECK(o.status == 0);
        const std::string runs = read_text(folder / "new/runs.csv");
        first.insert(runs.substr(runs.find("\n0,0,"), 30));
    }
    CHECK(first.size() == 2);
}

TEST_CASE("compare: without lists a few schedulers and tilings are chosen, and can be typed")
{
    const Scratch folder;
    const Outcome o = run("compare --lattice 4x4x4x8 --repeat 1 --out " + (folder / "a"));
    INFO(o.err << o.out);
    REQUIRE(o.status == 0);
    const std::string label = "cases           ";
    const std::size_t from = o.out.find(label) + label.size();
    REQUIRE(from != std::string::npos + label.size());
    const std::string lists = o.out.substr(from, o.out.find(" (chosen)") - from);
    // The same design: nothing is left to run.
    const Outcome typed =
        run("compare --lattice 4x4x4x8 --repeat 1 " + lists + " --out " + (folder / "a"));
    INFO(typed.err << typed.out);
    CHECK(typed.status == 0);
    CHECK_THAT(typed.out, Contains("0 runs to go"));
}

TEST_CASE("compare: Ctrl-C keeps what is measured, and the same command goes on")
{
    const Scratch folder;
    const std::string command = "compare --lattice 8x8x8x8 --sched lws,lws --tiles 1x1x1x2 "
                                "--workers cpus:1 --repeat 8 --out " +
                                folder.path().string();
    const auto runs = [&] { return lines_of(read_text(folder / "runs.csv")); };
    {
        Program first(command);
        wait_until([&] { return runs() >= 6; });
        first.interrupt();
        const Outcome o = first.wait();
        INFO(o.err);
        CHECK(o.status == 1);
        CHECK_THAT(o.err, Contains("the same command goes on"));
        CHECK(o.json.at("interrupted") == true);
    }
    const std::size_t kept = runs();
    CHECK(kept < 1 + 18);
    const Outcome o = run(command);
    INFO(o.err);
    CHECK(o.status == 0);
    CHECK(runs() >= 1 + 18);
    // A case twice: they are one, and whatever was found of them is in the ranking.
    const Json& cases = o.json.at("ranking").at("cases");
    REQUIRE(cases.size() == 2);
    for (const Json& c : cases) CHECK(c.at("rounds") == 8);
}
