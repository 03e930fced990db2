// README.md's commands run, in its order in one folder, on lattices that make them short; its first
// run prints what is shown there.

#include "tests/drivers/program.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fmt/format.h>
#include <regex>
#include <sstream>
#include <sys/wait.h>
#include <vector>

using namespace qcd::test;

namespace
{

std::vector<std::string> code_of_readme()
{
    std::vector<std::string> code;
    std::istringstream lines(read_text(std::string(QCD_ROOT) + "/README.md"));
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("    ")) code.push_back(line.substr(4));
    return code;
}

/// What follows the program's name, without what another program does with it.
std::vector<std::string> commands_of_readme()
{
    static const std::regex shown("qcd_starpu (.*?)( && .*)?");
    std::vector<std::string> commands;
    std::smatch found;
    for (const std::string& line : code_of_readme())
        if (std::regex_match(line, found, shown)) commands.push_back(found[1]);
    return commands;
}

/// Minutes become seconds; what is asked for stays.
std::string shortened(const std::string& command)
{
    std::string text = std::regex_replace(command, std::regex("16x16x16x32"), "8x8x8x16");
    if (text.starts_with("compare")) text += " --iterations 5 --repeat 1";
    if (text.starts_with("ladder"))
        text = std::regex_replace(text, std::regex("8x8x8x16"), "4x4x4x8") +
               " --iterations 1 --repeat 1 --devices core,cores";
    return text;
}

bool needs_gpu(const std::string& command) { return command.find("--cuda 1") != std::string::npos; }

Outcome run_in(const std::string& folder, const std::string& arguments)
{
    const std::string line =
        fmt::format("cd '{}' && exec '{}' {} >printed 2>complaints", folder, program(), arguments);
    Outcome o;
    const int status = std::system(line.c_str());
    o.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    o.out = read_text(folder + "/printed");
    o.err = read_text(folder + "/complaints");
    return o;
}

} // namespace

TEST_CASE("README's commands run")
{
    const Scratch folder;
    int count = 0;
    for (const std::string& command : commands_of_readme()) {
        if (needs_gpu(command) && !works("cuda", "--cpus 1 --cuda 1")) continue;
        const std::string arguments = shortened(command);
        const Outcome o = run_in(folder.path(), arguments);
        INFO("qcd_starpu " << arguments << '\n' << o.out << o.err);
        CHECK(o.status == 0);
        ++count;
    }
    CHECK(count >= 8);
    for (const char* file : {"c/runs.csv", "t/paje.trace", "t.svg", "l/ladder.json", "s.lime",
                             "conf.lime", "run.json"})
        CHECK(std::filesystem::exists(folder / file));
}

TEST_CASE("README's first run prints what is shown there")
{
    // What is the same on every machine.
    static const std::regex same(
        "  (lattice|method|outcome|iterations|\\|b - D x\\||digest of x).*");
    const Scratch folder;
    const Outcome o = run_in(folder.path(), "--lattice 16x16x16x32 --cuda 0");
    INFO(o.out << o.err);
    CHECK(o.status == 0);
    int count = 0;
    for (const std::string& line : code_of_readme())
        if (std::regex_match(line, same)) {
            CHECK_THAT(o.out, Catch::Contains(line + '\n'));
            ++count;
        }
    CHECK(count == 6);
}
