// What a command declares acts: of each option that it takes, some run reads the value.

#include "drivers/commands/commands.hpp"
#include "drivers/spec/commands.hpp"
#include "runtime/ranks.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <iostream>
#include <set>
#include <sstream>

using namespace qcd;

namespace
{

std::vector<std::string> words(const std::string& line)
{
    std::istringstream in(line);
    return {std::istream_iterator<std::string>(in), {}};
}

int run(const Command& command)
{
    Ranks& ranks = one_rank();
    return std::visit(
        [&](const auto& s) -> int {
            using S = std::decay_t<decltype(s)>;
            if constexpr (std::is_same_v<S, SolveSpec>) return run_solve(s, ranks);
            if constexpr (std::is_same_v<S, PropagatorSpec>) return run_propagator(s, ranks);
            if constexpr (std::is_same_v<S, GenerateSpec>) return run_generate(s, ranks);
            if constexpr (std::is_same_v<S, ApplySpec>) return run_apply(s, ranks);
            if constexpr (std::is_same_v<S, BenchSpec>) return run_bench(s, ranks);
            if constexpr (std::is_same_v<S, CompareSpec>) return run_compare(s, ranks);
            if constexpr (std::is_same_v<S, LadderSpec>) return run_ladder(s, ranks);
            if constexpr (std::is_same_v<S, CalibrateSpec>) return run_calibrate(s);
            if constexpr (std::is_same_v<S, TraceSpec>) return run_trace(s);
            if constexpr (std::is_same_v<S, InfoSpec>) return run_info(s);
            if constexpr (std::is_same_v<S, ConvertSpec>) return run_convert(s);
            if constexpr (std::is_same_v<S, CheckSpec>) return run_check(s);
            return -1;
        },
        command);
}

/// Options that these lines of a command declare and do not read.
std::vector<std::string> unread(const std::string& command, const std::vector<std::string>& lines)
{
    std::set<std::string, std::less<>> read;
    std::ostringstream printed;
    std::streambuf* const out = std::cout.rdbuf(printed.rdbuf());
    for (const std::string& line : lines) {
        INFO(command << " " << line);
        const Command parsed = parse(words(command + " " + line));
        const ReadRecord record;
        const int status = run(parsed);
        CHECK(status <= 1);
        read.insert(record.options().begin(), record.options().end());
    }
    std::cout.rdbuf(out);
    std::vector<std::string> missing;
    for (const std::string& option : options_of(command))
        if (!read.contains(option)) missing.push_back(option);
    return missing;
}

class InScratch
{
public:
    InScratch() : back_(std::filesystem::current_path())
    {
        std::filesystem::current_path(scratch_.path());
    }
    ~InScratch() { std::filesystem::current_path(back_); }

private:
    const test::Scratch scratch_;
    const std::filesystem::path back_;
};

const std::string cores = " --cpus 1 --cuda 0 --opencl 0 ", small = "--lattice 4x4x4x4 ",
                  multigrid = "--solver gcr --precondition mg --mg-blocks 2x2x2x2 --mg-vectors 6 "
                              "--mg-first 2 --mg-setup 0 ";

} // namespace

TEST_CASE("solve and what reads its files use all that they declare")
{
    const InScratch in;
    CHECK(unread("solve",
                 {small + cores + "--save-gauge gauge --trace t --save-solution x --checkpoint c",
                  "--gauge gauge --reunitarize --source x --guess x --iterations 2" + cores,
                  small + cores + "--solver gcr --precondition mr --domain 2x2x2x4",
                  small + cores + multigrid + "--iterations 2 --mg-save v",
                  small + cores + multigrid + "--iterations 2 --mg-load v",
                  small + cores + "--sloppy single", small + "--split auto" + cores,
                  small + cores + "--ladder 1.2 --multiple 8 --iterations 2",
                  small + "--engine openmp --cpus 1 --dry-run"}) == std::vector<std::string>{});
    CHECK(unread("trace", {"t --svg a.svg", "t --iterations 0:1 --graph g.svg --quiet",
                           "t --compare t"}) == std::vector<std::string>{});
    CHECK(unread("convert", {"gauge copy --precision double"}) == std::vector<std::string>{});
    CHECK(unread("check", {"gauge x"}) == std::vector<std::string>{});
    CHECK(unread("info", {""}) == std::vector<std::string>{});
    CHECK(unread("apply", {small + cores, "--gauge gauge --source x" + cores}) ==
          std::vector<std::string>{});
}

TEST_CASE("generate uses all that it declares")
{
    const InScratch in;
    const std::string job = small + cores + "--beta 6 ";
    CHECK(unread("generate",
                 {job + "--sweeps 2 --every 1 --save c_%d.lime --measure m --plot p --trace t "
                        "--checkpoint s --checkpoint-every 1 --json j",
                  job + "--sweeps 3 --resume s --report r.html --quiet"}) ==
          std::vector<std::string>{});
}

TEST_CASE("propagator, bench, compare, ladder and calibrate use all that they declare")
{
    const InScratch in;
    CHECK(unread("propagator", {small + cores, small + cores + "--save S --resume --phases spread",
                                small + cores + "--solver gcr --precondition mr --domain 2x2x2x4",
                                small + cores + multigrid + "--mg-save v",
                                small + cores + multigrid + "--mg-load v",
                                small + cores + "--wall 0 --dry-run"}) ==
          std::vector<std::string>{});
    CHECK(unread("bench", {small + cores + "--ops xpay --repeat 1 --precision double",
                           small + cores + "--grain --ops hop --repeat 1 --out grain"}) ==
          std::vector<std::string>{});
    // What writes a file of a source for those that solve more than once.
    CHECK(run(parse(words(small + cores + "--quiet --save-solution x --iterations 1"))) <= 1);
    const std::string file = small + "--source x --repeat 1 --iterations 2 ",
                      nested = "--solver gcr --precondition mr --domain 2x2x2x4 ";
    // Lists of workers are no value of a run: cases have what they say.
    CHECK(unread("compare",
                 {file + "--workers cpus:1 --out a", file + nested + "--workers cpus:1 --out b",
                  small + "--sloppy single --workers cpus:1 --repeat 1 --out c",
                  file + multigrid + "--mg-load v --workers cpus:1 --out m",
                  file + "--ladder 1.2 --multiple 8 --out d"}) ==
          std::vector<std::string>{"--workers"});
    CHECK(unread("compare generate",
                 {small + "--beta 6 --sweeps 2 --repeat 1 --workers cpus:1 --out g"}) ==
          std::vector<std::string>{"--workers"});
    CHECK(unread("ladder", {file + "--devices core --ladder 1.2,auto --out e"}) ==
          std::vector<std::string>{});
    const std::string alone = "--cpus 1 --cuda 0 --opencl 0 --tiles 1x1x1x2 --out m.json ";
    CHECK(unread("calibrate", {file + alone, file + nested + alone}) == std::vector<std::string>{});
}
