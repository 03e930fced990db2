// What is wrong on the command line is refused in one line that names the option.

#include "tests/scratch.hpp"
#include "tests/studies/runs.hpp"

#include <catch2/catch.hpp>

using namespace qcd;
using namespace qcd::test;

namespace
{

std::string study_problem(const std::string& line)
{
    try {
        studies::parse_command(words_of(line));
    } catch (const Error& e) {
        CHECK(e.exit_status() == exit_bad_input);
        CHECK(std::string(e.what()).find('\n') == std::string::npos);
        return e.what();
    }
    return "";
}

} // namespace

TEST_CASE("studies refuse bad options", "[studies]")
{
    const std::pair<const char*, const char*> lines[] = {
        {"nothing", "'nothing'"},
        {"compare nothing", "'nothing'"},
        {"matmul --what", "'--what'"},
        {"matmul --cpus -1", "--cpus"},
        {"matmul --cpus 0 --cuda 0 --opencl 0", "leaves no worker"},
        {"matmul --plan linked", "--plan"},
        {"matmul --plan batch --sched lws", "--sched"},
        {"matmul --plan pinned --sched lws", "--sched"},
        {"matmul --repeat 0", "--repeat"},
        {"matmul --json /", "--json"},
        {"matmul --size 0", "--size"},
        {"matmul --size 3x", "--size"},
        {"matmul --size 3x4x5x6", "--size"},
        {"matmul --size 50000", "--size"},
        {"matmul --version fast", "--version"},
        {"matmul --size 10 --tiles 11", "--tiles"},
        {"matmul --size 10x20x5 --tiles 2x2x6", "--tiles"},
        {"matmul --begin nowhere", "--begin"},
        {"sandpile --size 0", "--size"},
        {"sandpile --grains -1", "--grains"},
        {"sandpile --tiles 200", "--tiles"},
        {"sandpile --version naive --tiles 2", "--tiles"},
        {"sandpile --version overlap --tiles 2x2", "--tiles"},
        {"sandpile --version overlap --tiles 1x40 --sweeps 4", "--tiles"},
        {"sandpile --version overlap --sweeps 9", "--sweeps"},
        {"sandpile --version tiles --sweeps 2", "--sweeps"},
        {"sandpile --version lazy --look 2", "--look"},
        {"sandpile --version lazy --plan batch", "--plan"},
        {"sandpile --version naive --schedule static", "--schedule"},
        {"sandpile --version openmp --schedule guided", "--schedule"},
        {"sandpile --version openmp --schedule static,0", "--schedule"},
        {"sandpile --version openmp --schedule static,1,2", "--schedule"},
        {"sandpile --version tiles --touch one", "--touch"},
        {"sandpile --png /nowhere/x", "--png"},
        {"fisher --size 0", "--size"},
        {"fisher --tiles 17", "--tiles"},
        {"fisher --size 8x3 --tiles 4", "--tiles"},
        {"fisher --version whole --tiles 2", "--tiles"},
        {"fisher --version whole --look 2", "--look"},
        {"fisher --version half", "--version"},
        {"fisher --rows some", "--rows"},
        {"fisher --dt 0", "--dt"},
        {"fisher --length -1", "--length"},
        {"wave --size 8x8", "--size"},
        {"wave --size 8 --tiles 5", "--tiles"},
        {"wave --courant 0.6", "--courant"},
        {"wave --courant 0", "--courant"},
        {"wave --steps 0", "--steps"},
        {"yardsticks --size 0", "--size"},
        {"yardsticks --plan batch", "--plan"},
        {"compare matmul --version naive,fast", "--version"},
        {"compare matmul --version naive,", "--version"},
        {"compare matmul --repeat 3", "--repeat"},
        {"compare matmul --rounds 0", "--rounds"},
        {"compare matmul --version", "--version"},
    };
    for (const auto& [line, word] : lines) {
        INFO(line);
        CHECK_THAT(study_problem(line), Catch::Contains(word));
    }
}

TEST_CASE("compare makes a case of each value of one list with each of the others", "[studies]")
{
    const Scratch scratch;
    const auto command = studies::parse_command(words_of(
        "compare matmul --size 64 --version naive,four --rounds 3 --sched=lws,eager --out " +
        (scratch / "out")));
    const auto& c = std::get<studies::CompareCall>(command);
    REQUIRE(c.cases.size() == 4);
    CHECK(c.rounds == 3);
    CHECK(c.cases[1] == words_of("--size 64 --version four --sched lws"));
    CHECK(c.factors[3] == std::vector<std::pair<std::string, std::string>>{{"version", "four"},
                                                                           {"sched", "eager"}});
}

TEST_CASE("studies have help and a version", "[studies]")
{
    const auto text = [](const std::string& line) {
        return std::get<cli::Text>(studies::parse_command(words_of(line))).text;
    };
    CHECK_THAT(text(""), Catch::Contains("matmul") && Catch::Contains("Usage"));
    CHECK_THAT(text("--version"), Catch::StartsWith("starpu_studies "));
    CHECK_THAT(text("compare --help"), Catch::Contains("--rounds"));
    for (const studies::StudyKind& kind : studies::study_kinds()) {
        CHECK_THAT(text(std::string(kind.name) + " --help"), Catch::Contains("--size"));
        CHECK_THAT(text(std::string(kind.name) + " --help"), Catch::Contains("--cpus"));
    }
}
