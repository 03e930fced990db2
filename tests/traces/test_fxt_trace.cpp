// A small StarPU program traced end to end: the table has to equal the counts.

#include "traces/fxt_trace.hpp"

#include "base/error.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <map>
#include <set>
#include <starpu.h>
#include <sys/stat.h>

using namespace qcd;
namespace fs = std::filesystem;

namespace
{

#ifdef STARPU_USE_FXT

const test::Scratch scratch; // gone when the process ends

void spin(void*[], void*)
{
    const double until = starpu_timing_now() + 50;
    while (starpu_timing_now() < until) {
    }
}

starpu_codelet named(const char* name)
{
    starpu_codelet codelet;
    starpu_codelet_init(&codelet);
    codelet.cpu_funcs[0] = spin;
    codelet.nbuffers = 1;
    codelet.modes[0] = STARPU_RW;
    codelet.name = name;
    return codelet;
}

/// Two CPU workers, and data that tasks depend on each other through.
class Machine
{
public:
    Machine()
    {
        starpu_conf conf;
        starpu_conf_init(&conf);
        conf.ncpus = 2;
        conf.ncuda = conf.nopencl = 0;
        if (starpu_init(&conf) != 0) throw DeviceError("test: StarPU does not start");
        for (int i = 0; i < 4; ++i)
            starpu_variable_data_register(&handles_[i], STARPU_MAIN_RAM,
                                          reinterpret_cast<uintptr_t>(&values_[i]),
                                          sizeof values_[i]);
    }
    ~Machine()
    {
        for (starpu_data_handle_t handle : handles_) starpu_data_unregister(handle);
        starpu_shutdown();
    }
    void run(starpu_codelet& codelet, int times)
    {
        for (int i = 0; i < times; ++i)
            REQUIRE(starpu_task_insert(&codelet, STARPU_RW, handles_[i % 4], 0) == 0);
        starpu_task_wait_for_all();
    }

private:
    double values_[4]{};
    starpu_data_handle_t handles_[4];
};

std::map<std::string, long> counts(const Profile& profile)
{
    std::map<std::string, long> result;
    for (const ProfileRow& row : profile.rows) result[row.name] += row.count;
    return result;
}

Profile traced_run(const fs::path& folder, starpu_codelet& red, starpu_codelet& green, int times)
{
    FxtTrace trace(folder);
    {
        Machine machine;
        machine.run(red, 11);
        trace.start();
        machine.run(red, 2 * times);
        for (int i = 0; i < 3; ++i) {
            starpu_iteration_push(i);
            machine.run(green, times);
            starpu_iteration_pop();
        }
        trace.stop();
        machine.run(green, 13);
    }
    const auto lost = Catch::Contains(fmt::format("{} of {} tasks", 5 * times, 5 * times + 1));
    CHECK_THROWS_WITH(trace.convert(5 * times + 1), lost);
    return trace.convert(5 * times);
}

TEST_CASE("what ran between start and stop is counted, what ran outside is not")
{
    const fs::path folder = scratch.path() / "new";
    setenv("STARPU_TRACE_BUFFER_SIZE", "16", 1);
    starpu_codelet red = named("red"), green = named("green");
    // Twice into the same folder: nothing of the first run may show in the second.
    for (const int times : {20, 10}) {
        const Profile profile = traced_run(folder, red, green, times);
        CHECK(counts(profile) ==
              std::map<std::string, long>{{"red", 2 * times}, {"green", 3 * times}});
        CHECK(profile.tasks == 5 * times);
        CHECK(profile.workers == 2);
        for (const ProfileRow& row : profile.rows) {
            CHECK(row.worker_kind == "CPU");
            CHECK(row.min_us >= 49);
        }
        CHECK(profile.idle_share > 0);
        CHECK(profile.idle_share < 1);
    }

    const std::string paje = test::read_text(folder / "paje.trace");
    CHECK_THAT(paje, Catch::Contains("red") && Catch::Contains("green"));
    CHECK_THAT(test::read_text(folder / "tasks.rec"), Catch::Contains("Name: green"));
    CHECK_THAT(test::read_text(folder / "dag.dot"), Catch::Contains("digraph"));
    CHECK_THAT(test::read_text(folder / "profile.txt"),
               Catch::Contains("green") && Catch::Contains("idle"));
    CHECK_THAT(test::read_text(folder / "profile.csv"), Catch::Contains("green,CPU,30,"));
    std::set<std::string> left;
    for (const auto& file : fs::directory_iterator(folder)) left.insert(file.path().filename());
    CHECK(left == std::set<std::string>(std::begin(fxt_files), std::end(fxt_files)));
}

TEST_CASE("a trace that cannot be made is an error")
{
    CHECK_THROWS_AS(FxtTrace("/proc/nowhere"), Error);
    FxtTrace trace(scratch.path() / "none");
    CHECK_THROWS_AS(trace.convert(0), Error);
    for (const char* size : {"0", "-5", "many", ""}) {
        setenv("STARPU_TRACE_BUFFER_SIZE", size, 1);
        CHECK_THROWS_WITH(FxtTrace(scratch.path() / "size"),
                          Catch::Contains("STARPU_TRACE_BUFFER_SIZE"));
    }
    setenv("STARPU_TRACE_BUFFER_SIZE", "16", 1);
}

TEST_CASE("what is in the way of a trace is found before the solve, or replaced after it")
{
    const fs::path folder = scratch.path() / "occupied";
    fs::create_directory(folder);
    for (const char* made : fxt_files) {
        INFO(made);
        if (made != std::string("fxt_0")) test::write_text(folder / "fxt_0", "old");
        fs::create_directories(folder / made / "x");
        CHECK_THROWS_AS(FxtTrace(folder), Error);
        CHECK(fs::exists(folder / made / "x"));
        fs::remove_all(folder / made);
        if (made == std::string("fxt_0")) continue;
        REQUIRE(mkfifo((folder / made).c_str(), 0600) == 0);
        CHECK_NOTHROW(FxtTrace(folder));
        CHECK(fs::exists(folder / made)); // nothing was recorded
        fs::remove(folder / made);
    }
}

TEST_CASE("what a trace that was killed left ends with the next, what is another's stays")
{
    const fs::path folder = scratch.path() / "killed", unfinished = folder / unfinished_name;
    fs::create_directories(unfinished);
    for (const char* part : {"fxt_0", "paje.trace", "tasks.rec", "whole.paje"})
        test::write_text(unfinished / part, "cut");
    CHECK_NOTHROW(FxtTrace(folder));
    CHECK(fs::is_empty(folder));
    for (const bool own : {false, true}) {
        if (own) test::write_text(folder / "fxt_0", "old");
        fs::create_directories(unfinished);
        test::write_text(unfinished / "letter", "dear");
        CHECK_THROWS_WITH(FxtTrace(folder),
                          Catch::Contains(own ? "cannot replace" : "has files in it"));
        CHECK(test::read_text(unfinished / "letter") == "dear");
        fs::remove_all(unfinished);
        test::write_text(unfinished, "a file");
        CHECK_THROWS_WITH(FxtTrace(folder),
                          Catch::Contains(own ? "cannot replace" : "has files in it"));
        CHECK(test::read_text(unfinished) == "a file");
        fs::remove(unfinished);
    }
}

TEST_CASE("results appear when all are complete, and until there are some the earlier ones stay")
{
    const fs::path folder = scratch.path() / "new"; // FxT wants one folder in a process
    starpu_codelet red = named("red");
    const auto first = [&](const char* made) {
        return test::read_text(folder / made).substr(0, 1000);
    };
    std::map<std::string, std::string> earlier;
    for (const char* made : fxt_files) earlier[made] = first(made);
    FxtTrace trace(folder);
    {
        Machine machine;
        trace.start();
        machine.run(red, 8);
        trace.stop();
    }
    for (const char* made : fxt_files) {
        INFO(made);
        CHECK_FALSE(earlier[made].empty());
        CHECK(first(made) == earlier[made]);
    }
    // One that cannot be made: the others do not appear either, and the earlier ones have ended.
    fs::create_directory(folder / unfinished_name / "profile.csv");
    CHECK_THROWS_WITH(trace.convert(8), Catch::Contains("cannot write"));
    CHECK(fs::exists(folder / "fxt_0"));
    CHECK_FALSE(fs::exists(folder / "paje.trace"));
    CHECK_FALSE(fs::exists(folder / "profile.txt"));
    fs::remove(folder / unfinished_name / "profile.csv");
    CHECK(trace.convert(8).tasks == 8);
    for (const char* made : fxt_files) CHECK(fs::file_size(folder / made) > 0);
}

TEST_CASE("a folder that another run records into is refused until that run ends")
{
    const fs::path folder = scratch.path() / "shared";
    {
        const FxtTrace first(folder);
        CHECK_THROWS_WITH(FxtTrace(folder), Catch::Contains("another run records into"));
    }
    CHECK_NOTHROW(FxtTrace(folder));
}

#else

TEST_CASE("a StarPU without FxT says so")
{
    CHECK_THROWS_WITH(FxtTrace("trace"), Catch::Contains("built without FxT"));
    CHECK_THROWS_AS(FxtTrace("trace"), DeviceError);
}

#endif

} // namespace
