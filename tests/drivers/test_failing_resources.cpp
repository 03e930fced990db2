// A system that has no more threads or memory, as failing_resources.c makes it: a solve loses its
// checkpoints and goes on, or ends with status 4 and one line.

#include "tests/drivers/json_schema.hpp"
#include "tests/drivers/program.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

using namespace qcd::test;
using Json = nlohmann::json;

namespace
{

const std::string solve_on_a_core =
    "--lattice 4x4x4x8 --gauge random:3 --mass 0.5 --cpus 1 --cuda 0 --opencl 0 --quiet ";

Outcome run_without(const std::string& resource, const std::string& arguments)
{
    return run(arguments, "LD_PRELOAD=" QCD_FAILING_RESOURCES " " + resource);
}

/// Threads of C++ by their number: the first watches for a stall, the others write checkpoints.
Outcome run_without_thread(int number, const std::string& arguments)
{
    return run_without("QCD_FAILING_THREAD=" + std::to_string(number), arguments);
}

bool is_one_line(const Outcome& o)
{
    return o.err.starts_with("qcd_starpu: ") && o.err.find('\n') == o.err.size() - 1;
}

} // namespace

TEST_CASE("a checkpoint for which there is no thread is counted and said, and the solve goes on")
{
    const Json whole = solve(solve_on_a_core);
    const int all = (whole.at("iterations").get<int>() - 1) / 5;
    for (const int written : {0, 1, 2}) {
        const Scratch scratch;
        const Outcome o =
            run_without_thread(2 + written, solve_on_a_core + "--checkpoint " + scratch / "c" +
                                                " --checkpoint-every 5");
        INFO(o.err);
        CHECK(o.status == 0);
        CHECK(is_one_line(o));
        CHECK_THAT(o.err,
                   Catch::Contains("has no more threads") && Catch::Contains("the solve goes on"));
        check_valid("solve", o.json);
        for (const char* key : {"iterations", "residual", "solution", "ending"})
            CHECK(o.json.at(key) == whole.at(key));
        const Json& c = o.json.at("checkpoint");
        CHECK(c.at("written") == written);
        CHECK(c.at("failed") == all - written);
        CHECK(c.at("iteration") == (written ? Json(5 * written) : Json()));
        CHECK(std::filesystem::exists(scratch / "c") == (written > 0));
    }
    // Where it was all that there is of the solve, it is an error.
    const Scratch scratch;
    const Outcome o =
        run_without_thread(2, solve_on_a_core + "--max-iterations 7 --checkpoint " + scratch / "c");
    INFO(o.err);
    CHECK(o.status == 2);
    CHECK_THAT(o.err, Catch::Contains("has no more threads"));
}

TEST_CASE("threads that a run cannot do without: status 4 and one line")
{
    for (const auto& [number, options] :
         {std::pair{1, "--cpus 1 "}, std::pair{2, "--cpus 1 --cores-per-worker 3 "},
          std::pair{3, "--cpus 1 --cores-per-worker 3 "}}) { // one of two has begun
        const Outcome o = run_without_thread(
            number, std::string("--lattice 8x8x8x8 --iterations 5 --cuda 0 --quiet ") + options);
        INFO(options << o.err);
        CHECK(o.status == 4);
        CHECK(is_one_line(o));
        CHECK(o.json.is_null());
    }
}

TEST_CASE("memory that is not to be had: a checkpoint fails, or status 4 and one line")
{
    const Json whole = solve(solve_on_a_core);
    constexpr int bytes_of_a_vector = 4 * 4 * 4 * 8 / 2 * 24 * 8;
    int went_on = 0;
    for (const int first : {1, 2, 3, 4, 5, 6, 8, 10, 12}) {
        const Scratch scratch;
        const Outcome o = run_without("QCD_FAILING_BYTES=" + std::to_string(bytes_of_a_vector) +
                                          " QCD_FAILING_ALLOCATION=" + std::to_string(first),
                                      solve_on_a_core + "--checkpoint " + scratch / "c" +
                                          " --checkpoint-every 5");
        INFO(first << ' ' << o.err);
        CHECK((o.status == 0 || o.status == 4));
        CHECK(is_one_line(o));
        CHECK_THAT(o.err, Catch::Contains("memory"));
        if (o.status == 4) continue;
        ++went_on;
        CHECK(o.json.at("checkpoint").at("failed") > 0);
        CHECK(o.json.at("solution") == whole.at("solution"));
    }
    CHECK(went_on > 0);
}

TEST_CASE("memory that a task has not: an exception cannot leave it, and there is one line")
{
    const Outcome o = run_without("QCD_FAILING_IN_TASKS=1", solve_on_a_core + "--plan batch");
    INFO(o.err);
    CHECK(o.status == 4);
    CHECK(o.err == "qcd_starpu: out of memory\n");
    CHECK(o.json.is_null());
}
