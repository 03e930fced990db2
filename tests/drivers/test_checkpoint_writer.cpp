// When a solve pauses for a checkpoint, and what becomes of one that cannot be written.

#include "base/error.hpp"
#include "drivers/checkpoint/checkpoint_writer.hpp"
#include "drivers/checkpoint/state_file.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>

#include <cstring>
#include <new>
#include <utility>

using namespace qcd;
using namespace std::chrono_literals;

namespace
{

const CheckpointProblem tiny{.lattice = {2, 2, 2, 2}, .solver = "cr", .even_odd = false};

/// After so many iterations; each number its own.
State tiny_state(int iterations)
{
    State s{Method::cr, {}, {1.5, -2.5}, {}};
    s.report.history.resize(std::size_t(iterations) + 1, 0.5);
    s.report.iterations = iterations;
    s.report.operator_applications = iterations + 1;
    std::vector<double> reals(16 * 24);
    for (std::size_t i = 0; i < reals.size(); ++i) reals[i] = 1 / double(i + iterations);
    SpinorCopy copy{tiny.lattice, {{}, tiny.lattice}, Precision::f64, Sites::all, {}};
    copy.reals.resize(reals.size() * sizeof(double));
    std::memcpy(copy.reals.data(), reals.data(), copy.reals.size());
    s.vectors.emplace_back("x", copy);
    return s;
}

void take(CheckpointWriter& writer, int iterations)
{
    writer.take(iterations, [&] { return std::vector{tiny_state(iterations)}; });
}

void ignore(const std::string&) {}

} // namespace

TEST_CASE("checkpoints: after multiples of the iterations, wherever blocks begin and end")
{
    CheckpointWriter every_ten("c", tiny, {.iterations = 10, .time = {}}, ignore);
    CHECK(every_ten.pause_in(0, 8) == 0);
    CHECK(every_ten.pause_in(8, 16) == 10);
    CHECK(every_ten.pause_in(9, 10) == 10);
    CHECK(every_ten.pause_in(10, 11) == 0);
    CHECK(every_ten.pause_in(10, 20) == 20);
    CHECK(every_ten.pause_in(0, 100) == 10);
    CheckpointWriter each("c", tiny, {.iterations = 1, .time = {}}, ignore);
    CHECK(each.pause_in(7, 8) == 8);
    CHECK(each.pause_in(0, 32) == 1);
}

TEST_CASE("checkpoints: by time, at the end of the block that begins then")
{
    CheckpointWriter due("c", tiny, {.iterations = 0, .time = 0s}, ignore);
    CHECK(due.pause_in(3, 11) == 11);
    CheckpointWriter later("c", tiny, {.iterations = 0, .time = 3600s}, ignore);
    CHECK(later.pause_in(3, 11) == 0);
}

TEST_CASE("checkpoints: the last of several is in the file, as it was")
{
    const test::Scratch scratch;
    const std::string file = scratch / "c";
    CheckpointWriter writer(file, tiny, {}, ignore);
    for (const int iterations : {3, 5, 9}) take(writer, iterations);
    CHECK(writer.finish().empty());
    CHECK(writer.counts().written == 3);
    CHECK(writer.counts().failed == 0);
    CHECK(writer.counts().iteration == 9);
    CHECK(writer.counts().bytes == std::filesystem::file_size(file));
    const State read = read_states(CheckpointFile(open_file_bytes(file))).at(0);
    const State expected = tiny_state(9);
    CHECK(read.method == expected.method);
    CHECK(read.scalars == expected.scalars);
    CHECK(read.iterations() == 9);
    CHECK(read.report.history == expected.report.history);
    CHECK(read.report.operator_applications == 10);
    CHECK_FALSE(read.before);
    REQUIRE(read.vectors.size() == 1);
    CHECK(read.vectors[0].first == "x");
    CHECK(read.vectors[0].second.reals == expected.vectors[0].second.reals);
    CHECK(read.vectors[0].second.sites == Sites::all);
}

TEST_CASE("checkpoints: the first that cannot be written is said, the last is told at the end")
{
    const test::Scratch scratch;
    const std::string file = scratch / "gone/c";
    std::vector<std::string> said;
    CheckpointWriter writer(file, tiny, {}, [&](const std::string& line) { said.push_back(line); });
    for (const int iterations : {3, 5, 9}) take(writer, iterations);
    CHECK(writer.finish().find("(checkpoint at iteration 9)") != std::string::npos);
    REQUIRE(said.size() == 1);
    CHECK(said[0].find("cannot write") != std::string::npos);
    CHECK(said[0].find("(checkpoint at iteration 3)") != std::string::npos);
    CHECK(writer.counts().written == 0);
    CHECK(writer.counts().failed == 3);
    // Once there is room again it goes on.
    std::filesystem::create_directory(scratch / "gone");
    take(writer, 11);
    CHECK(writer.finish().empty());
    CHECK(writer.counts().written == 1);
    CHECK(writer.counts().iteration == 11);
}

TEST_CASE("checkpoints: one that has no memory is counted and said, and the next is tried")
{
    const test::Scratch scratch;
    const std::string file = scratch / "c";
    std::vector<std::string> said;
    CheckpointWriter writer(file, tiny, {}, [&](const std::string& line) { said.push_back(line); });
    take(writer, 3);
    const auto none = []() -> std::vector<State> { throw std::bad_alloc(); };
    CHECK_NOTHROW(writer.take(5, none));
    CHECK_NOTHROW(writer.take(7, none));
    REQUIRE(said.size() == 1); // at once: there is no thread to wait for
    CHECK(said[0] == file + ": out of memory (checkpoint at iteration 5); the solve goes on, and "
                            "what stood there is kept");
    CHECK(writer.finish() == file + ": out of memory (checkpoint at iteration 7)");
    CHECK(writer.counts().written == 1);
    CHECK(writer.counts().failed == 2);
    CHECK(writer.counts().iteration == 3);
    CHECK(read_states(CheckpointFile(open_file_bytes(file))).at(0).iterations() == 3);
    take(writer, 9);
    CHECK(writer.finish().empty());
    CHECK(writer.counts().iteration == 9);
}

TEST_CASE("checkpoints: what is no lack of the system's is no failure of the checkpoint")
{
    const test::Scratch scratch;
    CheckpointWriter writer(scratch / "c", tiny, {}, ignore);
    CHECK_THROWS_AS(writer.take(3, []() -> std::vector<State> { throw Error("not so"); }), Error);
}
