// Ctrl-C and SIGTERM at any time, and where the run hangs.

#include "tests/drivers/program.hpp"

#include "runtime/session_options.hpp"
#include "tests/seed.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <list>
#include <random>
#include <thread>

using namespace qcd::test;
namespace fs = std::filesystem;

namespace
{

using Clock = std::chrono::steady_clock;

const double patience = qcd::stall_patience.count();
const std::string on_a_core = " --cpus 1 --cuda 0 --opencl 0";
const std::string endless = "--lattice 4x4x4x8 --iterations 1000000 --plan ";
/// A run that converges so slowly that it does not end before it hangs, by lists of two workers.
const std::string replayed = "--lattice 8x8x8x8 --gauge random:1 --kappa 0.25 --iterations 1000000 "
                             "--tiles 1x1x1x2 --plan replay --sched lws";

void sleep_for(double seconds)
{
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

double seconds_since(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// A run in which something hangs: a variable of stuck_calls.c says what.
struct HangingRun {
    HangingRun(const std::string& arguments, const std::string& stuck, int cores = 1)
        : what(arguments + ' ' + stuck),
          program(arguments + " --cuda 0 --opencl 0 --cpus " + std::to_string(cores),
                  "LD_PRELOAD=" QCD_STUCK_CALLS " QCD_STUCK_SIGN=" + sign() + ' ' + stuck)
    {
    }
    std::string sign() const { return scratch / "it-hangs"; }
    void wait_until_it_hangs() const
    {
        wait_until([this] { return fs::exists(sign()); });
        sleep_for(0.5); // for what waits for it
    }
    Scratch scratch;
    std::string what;
    Program program;
};

} // namespace

TEST_CASE("a run that hangs ends some seconds after the first signal, by that signal")
{
    std::list<HangingRun> all; // at the same time: they sleep
    all.emplace_back(endless + "graph", "QCD_STUCK_START=1");
    all.emplace_back(endless + "graph", "QCD_STUCK_KERNEL=1");
    all.emplace_back(endless + "graph --tiles 1x1x1x2", "QCD_STUCK_KERNEL=1000");
    all.emplace_back(endless + "batch:8", "QCD_STUCK_KERNEL=20");
    // The worker with the data waits for one that hangs.
    all.emplace_back(replayed, "QCD_STUCK_LIST=1", 2);
    all.emplace_back(replayed, "QCD_STUCK_LIST=20", 2);
    all.emplace_back("apply --lattice 4x4x4x8", "QCD_STUCK_KERNEL=4");
    all.emplace_back("bench --lattice 4x4x4x8 --ops xpay", "QCD_STUCK_KERNEL=4");
    for (const HangingRun& run : all) run.wait_until_it_hangs();
    const int signal = GENERATE(SIGTERM, SIGINT);
    const auto begin = Clock::now();
    for (HangingRun& run : all) run.program.send(signal);
    for (HangingRun& run : all) {
        INFO(run.what << ' ' << signal);
        const Outcome o = run.program.wait(2 * patience);
        CHECK(seconds_since(begin) > patience - 1);
        CHECK(o.status == 128 + signal);
        CHECK(o.err == "qcd_starpu: nothing has moved for 10 s since the signal: ended without a "
                       "result\n");
        CHECK(o.json.is_null());
    }
}

TEST_CASE("a list of a schedule that StarPU does not take ends the run, though others wait for it")
{
    for (const char* list : {"1", "20"}) {
        HangingRun run(replayed, std::string("QCD_REFUSED_LIST=") + list, 2);
        const Outcome o = run.program.wait(60);
        INFO(list << '\n' << o.out << o.err);
        CHECK(fs::exists(run.sign()));
        CHECK(o.status == 4);
        CHECK(o.err.starts_with("qcd_starpu: StarPU: it refused a list of a schedule, in or before "
                                "task iterations_x"));
        CHECK(o.err.find('\n') == o.err.size() - 1);
        CHECK(o.json.is_null());
    }
}

TEST_CASE("a second signal ends at once a run that hangs")
{
    HangingRun run(endless + "graph", "QCD_STUCK_KERNEL=100");
    run.wait_until_it_hangs();
    run.program.send(SIGTERM);
    sleep_for(2.5);
    const auto begin = Clock::now();
    run.program.send(SIGINT);
    const Outcome o = run.program.wait(2 * patience);
    CHECK(seconds_since(begin) < patience / 2);
    CHECK(o.status == 128 + SIGINT);
    CHECK(o.err == "qcd_starpu: a second signal: ended without a result\n");
    CHECK(o.json.is_null());
}

TEST_CASE("a signal at any time of a run ends it soon, and leaves whole files or none")
{
    const std::string job =
        "--lattice 8x8x8x8 --gauge random:3 --kappa 0.12 --repeat 3" + on_a_core;
    std::mt19937 random(any_seed());
    const auto begin = Clock::now();
    REQUIRE(run(job).status == 0);
    std::uniform_real_distribution<double> any_time(0, 1.2 * seconds_since(begin));
    for (int i = 0; i < 30; ++i) {
        const Scratch scratch;
        const std::string gauge = scratch / "gauge.lime";
        const double when = any_time(random);
        const int signal = i % 2 ? SIGINT : SIGTERM;
        INFO(when << " s, signal " << signal);
        Program program(job + " --save-gauge " + gauge);
        sleep_for(when);
        program.send(signal);
        const auto sent = Clock::now();
        const Outcome o = program.wait(2 * patience);
        CHECK(seconds_since(sent) < patience);
        INFO(o.status << ' ' << o.err);
        // Done before it came, interrupted, or it came before the program's first line.
        CHECK((o.status == 0 || o.status == 1 || (o.status == 128 + signal && o.err.empty())));
        CHECK(o.json.is_null() == (o.status == 128 + signal || !o.err.empty()));
        for (const fs::path& file : fs::directory_iterator(scratch.path())) {
            CHECK(file == gauge);
            CHECK(solve("--gauge " + gauge + " --kappa 0.12" + on_a_core).at("verified") == true);
        }
    }
}
