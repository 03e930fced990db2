// What `compare` and `simulate` take of a solve that is simulated: each option acts, or is refused.

#include "base/error.hpp"
#include "drivers/simulation/machine_file.hpp"
#include "drivers/simulation/simulated_workers.hpp"
#include "drivers/spec/case_factors.hpp"
#include "drivers/spec/commands.hpp"
#include "runtime/environment.hpp"
#include "runtime/ranks.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>

using namespace qcd;
using Catch::Contains;
using cli::Text;

namespace
{

using Texts = std::vector<std::string>;

Texts shell_words(const std::string& line)
{
    std::istringstream in(line);
    return {std::istream_iterator<std::string>(in), {}};
}

/// A folder with a file `machine`, in which the case runs.
class FolderWithMachine
{
public:
    FolderWithMachine() : back_(std::filesystem::current_path())
    {
        std::filesystem::current_path(scratch_.path());
        test::write_text("machine", "x");
    }
    ~FolderWithMachine() { std::filesystem::current_path(back_); }

private:
    const test::Scratch scratch_;
    const std::filesystem::path back_;
};

/// Options of a command, by their long names.
std::set<std::string> options_in_help_of(const std::string& command)
{
    const std::string help = std::get<Text>(parse({command, "--help"})).text;
    const std::regex option("(?:^|[ ,])(--[a-z][a-z-]*)(?=[ ,\n])");
    std::set<std::string> all;
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("  -")) continue;
        std::smatch found;
        REQUIRE(std::regex_search(line, found, option));
        all.insert(found[1]);
    }
    return all;
}

/// What the simulator is given for each value of the first list that is typed; of none for the one
/// case.
std::vector<Texts> given_to_the_simulator(const std::string& line)
{
    const auto o = std::get<CompareSpec>(
        parse(shell_words("compare --simulate machine --lattice 8x8x8x8 " + line)));
    std::vector<RunSpec> cases;
    if (o.table)
        for (const CaseLine& of : o.table->lines) {
            cases.push_back(o.run);
            for (const CaseValue& value : of.values) value.set(cases.back());
        }
    else if (!o.factors.empty())
        for (const CaseValue& value : o.factors.front().values) {
            cases.push_back(o.run);
            value.set(cases.back());
        }
    else
        cases.push_back(o.run);
    std::vector<Texts> all;
    for (const RunSpec& c : cases) all.push_back(simulate_arguments(c, "machine"));
    return all;
}

std::string refusal(const std::string& line)
{
    INFO(line);
    try {
        parse(shell_words(line));
    } catch (const Error& e) {
        CHECK(e.exit_status() == exit_bad_input);
        return e.what();
    }
    FAIL("accepted");
    return "";
}

} // namespace

TEST_CASE("compare --simulate: each option acts, or is refused before anything runs")
{
    const FolderWithMachine in;
    enum class Fate { given, refused, of_the_comparison };
    struct Use {
        std::string typed;
        Fate fate;
    };
    const std::map<std::string, Use> uses{
        {"--plan", {"--plan pinned", Fate::given}},
        {"--sched", {"--sched dmda", Fate::given}},
        {"--sched-lib", {"--sched dmda --sched-lib machine", Fate::refused}},
        {"--tiles", {"--tiles 1x1x1x2", Fate::given}},
        {"--split", {"--split 0.5", Fate::refused}},
        {"--workers", {"--workers cpus:2", Fate::given}},
        {"--ladder", {"--ladder 1.0", Fate::refused}},
        {"--multiple", {"--multiple 16", Fate::refused}},
        {"--repeat", {"--repeat 3", Fate::refused}},
        {"--seed", {"--seed 3", Fate::refused}},
        {"--out", {"--out c", Fate::refused}},
        {"--lattice", {"", Fate::given}},
        {"--gauge", {"--gauge random:3", Fate::given}},
        {"--reunitarize", {"--reunitarize --gauge machine", Fate::given}},
        {"--gauge-number", {"--gauge-number 0 --gauge machine", Fate::given}},
        {"--ignore-checksum", {"--ignore-checksum --gauge machine", Fate::given}},
        {"--mass", {"--mass 0.5", Fate::given}},
        {"--kappa", {"--kappa 0.11", Fate::given}},
        {"--mubar", {"--mubar 0.5 --even-odd off", Fate::given}},
        {"--csw", {"--csw 1.5", Fate::given}},
        {"--boundary", {"--boundary periodic", Fate::given}},
        {"--theta", {"--theta 0,0,0.5,0", Fate::given}},
        {"--source", {"--source wall:0,0,0", Fate::given}},
        {"--source-number", {"--source machine --source-number 1", Fate::refused}},
        {"--basis", {"--source machine --basis dirac", Fate::refused}},
        {"--phases", {"--source machine --phases spread", Fate::refused}},
        {"--solver", {"--solver cg", Fate::given}},
        {"--restart", {"--solver gcr --restart 3", Fate::given}},
        {"--precondition", {"--solver gcr --precondition mr:7", Fate::given}},
        {"--domain", {"--solver gcr --precondition mr --domain 4x4x4x4", Fate::given}},
        {"--mg-blocks", {"--solver gcr --precondition mg --mg-blocks 4x4x4x4", Fate::refused}},
        {"--mg-vectors", {"--solver gcr --precondition mg --mg-vectors 6", Fate::refused}},
        {"--mg-first", {"--solver gcr --precondition mg --mg-first 6", Fate::refused}},
        {"--mg-setup", {"--solver gcr --precondition mg --mg-setup 6", Fate::refused}},
        {"--mg-cycle", {"--solver gcr --precondition mg --mg-cycle 6", Fate::refused}},
        {"--mg-coarse", {"--solver gcr --precondition mg --mg-coarse 6", Fate::refused}},
        {"--mg-tol", {"--solver gcr --precondition mg --mg-tol 0.5", Fate::refused}},
        {"--mg-load", {"--solver gcr --precondition mg --mg-load machine", Fate::refused}},
        {"--even-odd", {"--even-odd off", Fate::given}},
        {"--precision", {"--precision single", Fate::given}},
        {"--links", {"--links 8", Fate::given}},
        {"--sloppy", {"--sloppy single", Fate::refused}},
        {"--sloppy-drop", {"--sloppy single --sloppy-drop 0.1", Fate::refused}},
        {"--tol", {"--tol 1e-5", Fate::refused}},
        {"--max-iterations", {"--max-iterations 7", Fate::refused}},
        {"--iterations", {"--iterations 7", Fate::given}},
        {"--gpu-memory", {"--gpu-memory 100M", Fate::given}},
        {"--verbose", {"--verbose", Fate::refused}},
        {"--cases", {"", Fate::of_the_comparison}}, // below
        {"--simulate", {"", Fate::of_the_comparison}},
        {"--json", {"", Fate::of_the_comparison}},
        {"--quiet", {"", Fate::of_the_comparison}},
        {"--config", {"", Fate::of_the_comparison}},
        {"--help", {"", Fate::of_the_comparison}},
        {"--version", {"", Fate::of_the_comparison}},
    };
    const Texts plain = given_to_the_simulator("").front();
    for (const std::string& option : options_in_help_of("compare")) {
        INFO(option);
        REQUIRE(uses.contains(option));
        const auto& [typed, fate] = uses.at(option);
        if (fate == Fate::refused)
            CHECK_THAT(refusal("compare --simulate machine --lattice 8x8x8x8 " + typed),
                       Contains("--simulate") && Contains(option));
        if (fate != Fate::given) continue;
        const Texts given = given_to_the_simulator(typed).front();
        if (!typed.empty()) CHECK(given != plain);
        // The simulator understands it, and means the same.
        const auto o = std::get<SimulateSpec>(parse(given));
        CHECK(simulate_arguments(o.run, o.machine()) ==
              simulate_arguments(std::get<SimulateSpec>(parse(given)).run, "machine"));
        if (option != "--workers" && option != "--mass" && !typed.empty())
            CHECK(std::count(given.begin(), given.end(), option) == 1);
    }
}

TEST_CASE("compare --simulate: methods arrive as they were typed")
{
    const FolderWithMachine in;
    const auto arrived = [](const std::string& line) {
        return std::get<SimulateSpec>(parse(given_to_the_simulator(line).front())).run;
    };
    const RunSpec o = arrived("--solver gcr --restart 3 --precondition mr:7 --domain 4x4x4x2 "
                              "--iterations 9 --kappa 0.123456789012345");
    CHECK(o.method.solver() == Method::gcr);
    CHECK(o.method.restart() == 3);
    REQUIRE(o.method.precondition());
    CHECK(o.method.precondition()->method == "mr");
    CHECK(o.method.precondition()->iterations == 7);
    CHECK(o.method.domain() == Extents{4, 4, 4, 2});
    CHECK(o.method.iterations() == 9);
    CHECK(kappa_of(o.problem) == 0.123456789012345);
    CHECK(arrived("--workers cpus:2+cuda:1").execution.cuda() == 1);
}

TEST_CASE("compare --simulate: values of lists and columns of tables that are not simulated")
{
    const FolderWithMachine in;
    const std::string compare = "compare --simulate machine --lattice 8x8x8x8 ";
    CHECK_THAT(refusal(compare + "--workers cpus:2,cpus:1x2"),
               Contains("cpus:1x2") && Contains("several cores"));
    CHECK_THAT(refusal(compare + "--plan graph,batch:8"), Contains("--plan batch:8"));
    CHECK_THAT(refusal(compare + "--plan linked"), Contains("--plan linked"));
    for (const auto& [column, value] :
         {std::pair{"split", "0.5"}, std::pair{"ladder", "1.0"}, std::pair{"stencil", "1.0"},
          std::pair{"multiple", "16"}, std::pair{"plan", "batch"},
          std::pair{"workers", "cpus:1x2"}}) {
        INFO(column);
        test::write_text("cases", std::string(column) + ",sched\n,lws\n" + value + ",\n");
        CHECK_THAT(refusal(compare + "--cases cases"), Contains("'cases', line 3: "));
    }
    // What says that there is none of it is simulated.
    test::write_text("cases", "split,ladder,plan,workers\nnone,auto,graph,cpus:2\n,,,\n");
    const std::vector<Texts> given = given_to_the_simulator("--cases cases");
    REQUIRE(given.size() == 2);
    CHECK(std::get<SimulateSpec>(parse(given[0])).run.execution.cpus() == 2);
    CHECK_FALSE(std::get<SimulateSpec>(parse(given[0])).run.method.even_odd().value());
}

TEST_CASE("simulate: one worker of several cores is not simulated as one of one core")
{
    SimulatedMachine m;
    m.cores = 4;
    const Extents lattice{8, 8, 8, 8};
    RunSpec o = std::get<SimulateSpec>(
                    parse(shell_words("simulate --machine this --lattice 8x8x8x8 --cuda 0")))
                    .run;
    CHECK(simulated_workers(o, lattice, m, one_rank()).cores_per_worker == 1);
    o.execution.tiles = Extents{1, 1, 1, 1};
    CHECK_THROWS_WITH(simulated_workers(o, lattice, m, one_rank()),
                      Contains("one worker of 4 cores"));
    o.execution.cpus = 1;
    CHECK(simulated_workers(o, lattice, m, one_rank()).cores_per_worker == 1);
    o.execution.cpus = 5;
    CHECK_THROWS_AS(simulated_workers(o, lattice, m, one_rank()), DeviceError);
}

TEST_CASE("--machine this: where this host's machine is kept follows the environment, as StarPU's "
          "calibration does")
{
    Environment environment;
    const auto check_kept_in = [](const std::string& folder) {
        CHECK_THAT(file_of_this_machine(), Catch::StartsWith(folder + "/machine_"));
        CHECK_THAT(file_of_this_machine(), Catch::EndsWith(".json"));
    };
    environment.set("HOME", "/home/me");
    environment.set("STARPU_HOME", "/somewhere");
    environment.set("XDG_CACHE_HOME", "/cache");
    check_kept_in("/cache/qcd_starpu");
    environment.unset("XDG_CACHE_HOME");
    check_kept_in("/somewhere/qcd_starpu");
    environment.unset("STARPU_HOME");
    check_kept_in("/home/me/.cache/qcd_starpu");
    environment.unset("HOME");
    CHECK(file_of_this_machine().empty());
}
