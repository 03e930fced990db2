// Long runs as a user has them: Ctrl-C, and a trace.

#include "tests/drivers/json_schema.hpp"
#include "tests/drivers/program.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <set>
#include <sstream>
#include <sys/resource.h>

using namespace qcd::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace
{

// It converges so slowly that nobody waits for it.
const std::string endless = "--lattice 8x8x8x8 --gauge random:1 --kappa 0.25 --iterations 1000000";

/// A run that is in the middle of its solve.
struct Solving {
    explicit Solving(const std::string& arguments)
        : program(arguments + " --save-gauge " + all_fields())
    {
        wait_until([this] { return fs::exists(all_fields()); });
        program.wait_until_computed();
    }
    std::string all_fields() const { return scratch / "there-when-all-fields-are"; }
    Scratch scratch;
    Program program;
};

/// Ctrl-C in the middle of the solve.
Outcome interrupted(const std::string& arguments)
{
    Solving run(arguments);
    run.program.interrupt();
    return run.program.wait(20);
}

/// Sum of the counts in profile.csv: task,worker,count,...
long counted_tasks(const std::string& csv)
{
    std::istringstream lines(csv);
    std::string line;
    std::getline(lines, line);
    CHECK(line.rfind("task,worker,count,", 0) == 0);
    long sum = 0;
    while (std::getline(lines, line)) {
        std::istringstream fields(line);
        std::string task, worker, count;
        std::getline(std::getline(std::getline(fields, task, ','), worker, ','), count, ',');
        if (!count.empty()) sum += std::stol(count);
    }
    return sum;
}

/// A field of tasks.csv, of all of its lines.
std::vector<std::string> column_of(const fs::path& folder, std::size_t column)
{
    std::istringstream lines(read_text(folder / "tasks.csv"));
    std::vector<std::string> found;
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        std::istringstream fields(line + ",");
        std::string field;
        for (std::size_t i = 0; i <= column; ++i) std::getline(fields, field, ',');
        found.push_back(field);
    }
    return found;
}
constexpr std::size_t operation_column = 0, iteration_column = 2, bytes_column = 8;

/// The values of a column of tasks.csv, each once.
std::set<std::string> traced(const fs::path& folder, std::size_t column)
{
    const std::vector<std::string> all = column_of(folder, column);
    return {all.begin(), all.end()};
}

/// A whole trace of the run with this JSON: a line for each task, where a task is one operation,
/// and of those that did something as many as the table of kernels has calls.
void check_trace(const fs::path& folder, const Json& j)
{
    CHECK(fs::file_size(folder / "paje.trace") > 3000);
    CHECK(fs::file_size(folder / "profile.txt") > 100);
    const long counted = counted_tasks(read_text(folder / "profile.csv"));
    CHECK(run("trace " + folder.string()).json.at("tasks") == counted);
    if (j.at("plan").at("name") == "graph") CHECK(counted == j.at("tasks"));
    long calls = 0;
    for (const Json& kernel : j.at("kernels")) calls += kernel.at("count").get<long>();
    const std::vector<std::string> bytes = column_of(folder, bytes_column);
    CHECK(counted - std::count(bytes.begin(), bytes.end(), "0") == calls);
}

void check_interrupted(const Outcome& o)
{
    INFO(o.out << o.err);
    CHECK(o.status == 1);
    CHECK(o.out.find("interrupted, verified") != std::string::npos);
    REQUIRE(o.json.is_object());
    const Json& j = o.json;
    check_valid("solve", j);
    CHECK(j.at("converged") == false);
    CHECK(j.at("verified") == true);
    CHECK(j.at("iterations") > 0);
    CHECK(j.at("iterations") < 1000000);
    CHECK(j.at("residual").at("true") < 1);
    CHECK(j.at("residual_history").size() == j.at("iterations").get<std::size_t>() + 1);
}

} // namespace

TEST_CASE("a gauge file that exceeds the limit of files: one line, and nothing is left")
{
    const Scratch scratch;
    const std::string file = scratch / "gauge.lime";
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{64 << 10, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small); // the program inherits it
    const Outcome o = run("--lattice 4x4x4x8 --quiet --save-gauge " + file);
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK(o.status == 2);
    CHECK(o.err == "qcd_starpu: " + file + ": cannot write: File too large\n");
    CHECK(fs::is_empty(fs::path(file).parent_path()));
}

TEST_CASE("a signal that comes twice at once, as from timeout(1), is one")
{
    Solving run(endless);
    run.program.send(SIGTERM);
    run.program.send(SIGTERM);
    check_interrupted(run.program.wait(20));
}

TEST_CASE("Ctrl-C ends a run soon, with the best x so far")
{
    const Outcome o = interrupted(endless);
    check_interrupted(o);
    CHECK(o.json.at("tasks") > 0);
}

TEST_CASE("Ctrl-C ends a replay soon, while its workers wait for each other")
{
    const Outcome o = interrupted(endless + " --plan replay --cpus 2 --cuda 0 --opencl 0 "
                                            "--tiles 1x1x1x2");
    check_interrupted(o);
    long replayed = 0;
    for (const Json& schedule : o.json.at("plan").at("schedules"))
        replayed += schedule.at("replayed").get<long>();
    CHECK(replayed > 0);
}

TEST_CASE("Ctrl-C ends the plain loops, too")
{
    check_interrupted(interrupted(endless + " --engine sequential"));
    check_interrupted(interrupted(endless + " --engine openmp --repeat 3"));
}

TEST_CASE("Ctrl-C while links are made: one line, no x and no files")
{
    for (const char* more : {"", "--engine openmp"}) {
        INFO(more);
        const Scratch scratch;
        const std::string file = scratch / "gauge.lime";
        Program program("--lattice 32x32x32x32 --save-gauge " + file + " " + more);
        program.wait_until_printed("memory"); // the links come next, for seconds
        program.interrupt();
        const Outcome o = program.wait(60);
        CHECK(o.status == 1);
        CHECK(o.err == "qcd_starpu: interrupted in the set-up, before there was a result\n");
        CHECK(o.json.is_null());
        CHECK(fs::is_empty(fs::path(file).parent_path()));
    }
}

TEST_CASE("Ctrl-C at the end of the set-up: interrupted, and no failed verification")
{
    const Scratch scratch;
    const std::string file = scratch / "gauge.lime"; // there when all fields are
    Program program("--lattice 16x16x16x16 --iterations 1000000 --save-gauge " + file);
    wait_until([&] { return fs::exists(file); });
    program.interrupt();
    const Outcome o = program.wait(60);
    INFO(o.out << o.err);
    CHECK(o.status == 1);
    CHECK(o.out.find("interrupted, verified") != std::string::npos);
    REQUIRE(o.json.is_object());
    CHECK(o.json.at("residual_history").size() == o.json.at("iterations").get<std::size_t>() + 1);
}

TEST_CASE("Ctrl-C ends bench with what was measured until then")
{
    Program program("bench --lattice 8x8x8x16 --precision double --ops dot,runtime_overhead --cpus "
                    "1 --cuda 0 --opencl 0 --repeat 20",
                    "QCD_BANDWIDTH_MIB=16");
    program.wait_until_printed("\nworkers: 1 CPU;");
    program.interrupt();
    const Outcome o = program.wait(20);
    INFO(o.out << o.err);
    CHECK(o.status == 1);
    CHECK(o.err == "qcd_starpu: bench: interrupted\n");
    REQUIRE(o.json.is_object());
    check_valid("bench", o.json);
    CHECK(o.json.at("interrupted") == true);
    CHECK(o.json.at("operations").size() == 1);
    CHECK(o.json.at("runtime_overhead").empty());
}

TEST_CASE("a crash that is not StarPU giving up stays a crash")
{
    for (const int signal : {SIGABRT, SIGSEGV}) {
        Solving run(endless);
        run.program.send(signal);
        const Outcome o = run.program.wait(20);
        CHECK(o.status == 128 + signal);
        CHECK(o.err.find(" gave up") == std::string::npos);
        CHECK(o.json.is_null());
    }
}

TEST_CASE("Ctrl-C ends a run in batches soon")
{
    check_interrupted(interrupted(endless + " --plan batch:8"));
    check_interrupted(interrupted(endless + " --plan graph --cuda 0 --opencl 0"));
}

TEST_CASE("a trace counts the tasks of the run")
{
    for (const char* method : {"cr", "cg", "bicgstab"}) {
        INFO(method);
        const Scratch scratch;
        const Json j =
            solve("--lattice 8x8x8x8 --iterations 50 --tiles 1x1x2x2 --cuda 0 --opencl 0 "
                  "--solver " +
                  std::string(method) + " --trace " + scratch / "t");
        check_trace(scratch / "t", j);
    }
}

TEST_CASE("a trace changes nothing of a run, and shows its operations")
{
    const std::string job = "--lattice 4x4x4x8 --iterations 10 --cuda 0 --opencl 0 --plan ";
    for (const char* plan : {"graph", "batch:4", "auto"}) {
        INFO(plan);
        const Scratch scratch;
        const std::string folder = scratch / "t/"; // a slash at the end is no other folder
        const Json j = solve(job + plan + " --trace " + folder), plain = solve(job + plan);
        check_trace(folder, j);
        for (const char* key : {"plan", "command", "tasks", "solution"})
            CHECK(j.at(key) == plain.at(key));
        CHECK(traced(folder, operation_column).count("hopping_links12_f64") == 1);
        CHECK(traced(folder, operation_column).count("batch") == 0);
        CHECK(traced(folder, iteration_column) ==
              std::set<std::string>{"", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"});
        // A run that fails has nothing to put in its place.
        CHECK(run("--lattice 4x4x4x8 --cuda 99 --trace " + folder).status == 4);
        check_trace(folder, j);
    }
}

TEST_CASE("the table of kernels counts calls that computed something")
{
    const Json j =
        solve("--lattice 4x4x4x8 --plan batch:32 --tol 1e-2 --cuda 0 --opencl 0 --cpus 1");
    const long iterations = j.at("iterations");
    REQUIRE(iterations % 8 != 0); // some were submitted in vain
    const auto& kernels = j.at("kernels");
    const auto update = std::find_if(kernels.begin(), kernels.end(), [](const Json& kernel) {
        return kernel.at("name") == "cr_update_f64";
    });
    REQUIRE(update != kernels.end());
    CHECK(update->at("count") == iterations);
    const double flops = 1320.0 * 4 * 4 * 4 * 8 * j.at("operator_applications").get<double>();
    const double seconds = j.at("seconds").at("solve");
    CHECK(j.at("gflops").get<double>() == Approx(1e-9 * flops / seconds));
}

TEST_CASE("an interrupted run leaves a whole trace")
{
    const Scratch scratch;
    const Outcome o = interrupted(endless + " --trace " + scratch / "t");
    INFO(o.out << o.err);
    REQUIRE(o.status == 1);
    check_trace(scratch / "t", o.json);
}
