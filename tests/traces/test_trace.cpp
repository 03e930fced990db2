// Traces as values and as files: what is written is read again; what is damaged is an error.

#include "tests/seed.hpp"
#include "tests/starvz.hpp"
#include "traces/graph_picture.hpp"
#include "traces/palette.hpp"
#include "traces/profile.hpp"
#include "traces/timeline.hpp"
#include "traces/trace_folder.hpp"

#include "base/error.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <sstream>
#include <tuple>

using namespace qcd;
namespace fs = std::filesystem;

namespace
{

/// Times that the files hold exactly: whole nanoseconds.
double ns(std::mt19937& random, long most)
{
    return 1e-9 * double(std::uniform_int_distribution<long>(0, most)(random));
}

/// Jobs that wait for earlier ones, and what they use.
template <class Number>
void add_graph(Trace& t, const Number& number)
{
    t.data = {{"spinor", 0, 4096}, {"links", 1, 0}, {"scalars", -1, 8}};
    std::vector<long> jobs(t.tasks.size());
    std::iota(jobs.begin(), jobs.end(), 0);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        t.tasks[i].job = jobs[i];
        t.tasks[i].flops = number(0, 1 << 20);
        if (i > 0 && number(0, 1)) t.dependencies.push_back({jobs[i], number(0, int(i) - 1)});
        t.dependencies.push_back({jobs[i], 1 << 20}); // of no task: dropped
        for (int u = number(0, 3); u > 0; --u)
            t.uses.push_back({jobs[i], number(0, 2), TraceUse::Mode(number(0, 2))});
    }
}

/// A trace as it could be: workers do one thing after the other, some of it in batches.
Trace random_trace(unsigned seed, int most_tasks = 200)
{
    std::mt19937 random(seed);
    const auto number = [&](int from, int to) {
        return std::uniform_int_distribution<int>(from, to)(random);
    };
    Trace t;
    t.about = {{"command", "qcd_starpu --lattice '4x4x4x4'"}, {"cpu", "a \"quoted\" name"}};
    const int workers = number(1, 5);
    for (int w = 0; w < workers; ++w)
        t.workers.push_back({fmt::format("{} {}", w ? "CPU" : "CUDA", w), w ? "CPU" : "CUDA",
                             w ? "cores" : "CUDA 0 (a GPU)"});
    t.memories = {"NUMA 0", "CUDA 0"};
    t.operations = {"hopping_f64", "pack_faces_f64", "cr_update_f64", "merge_sums_f64", "other"};
    for (int w = 0; w < workers; ++w) {
        double time = ns(random, 1000000);
        const int n = number(1, most_tasks);
        for (int i = 0; i < n; ++i) {
            TraceTask task;
            task.operation = number(0, int(t.operations.size()) - 1);
            task.tile = number(-1, 7);
            task.iteration = i / 10 - 1;
            task.worker = w;
            task.batch = number(0, 3) ? -1 : i / 20;
            task.submitted = std::max(0.0, time - ns(random, 100000));
            task.ready = task.submitted;
            task.started = time + ns(random, 20000);
            task.ended = task.started + ns(random, 300000);
            task.bytes = number(0, 1 << 20);
            time = task.ended;
            t.tasks.push_back(task);
        }
    }
    add_graph(t, number);
    for (int i = 0; i < 20; ++i) {
        const double began = ns(random, 10000000);
        t.transfers.push_back({i % 2, 1 - i % 2, double(number(1, 1 << 20)), began,
                               began + ns(random, 100000), number(0, 1) == 1});
    }
    finish(t);
    return t;
}

void write(const fs::path& folder, const Trace& t)
{
    TraceFolder(folder).write(t, make_profile(t));
}

double busy(const Trace& t)
{
    double sum = 0;
    for (const TraceTask& task : t.tasks) sum += task.ended - task.started;
    return sum;
}

} // namespace

TEST_CASE("what is written of a trace is read again")
{
    const test::Scratch scratch;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        INFO(seed);
        const Trace t = random_trace(seed);
        write(scratch.path(), t);
        const Trace back = read_trace(scratch.path());
        CHECK(back.about == t.about);
        CHECK(back.memories == t.memories);
        REQUIRE(back.workers.size() == t.workers.size());
        CHECK(back.workers[0].device == t.workers[0].device);
        REQUIRE(back.tasks.size() == t.tasks.size());
        for (std::size_t i = 0; i < t.tasks.size(); ++i) {
            const TraceTask &a = t.tasks[i], &b = back.tasks[i];
            CHECK(t.operations[a.operation] == back.operations[b.operation]);
            CHECK(std::tie(a.tile, a.iteration, a.worker, a.batch, a.bytes) ==
                  std::tie(b.tile, b.iteration, b.worker, b.batch, b.bytes));
            CHECK((a.job == b.job && a.flops == b.flops));
            for (const auto time :
                 {&TraceTask::submitted, &TraceTask::ready, &TraceTask::started, &TraceTask::ended})
                CHECK(b.*time == Approx(a.*time).margin(1e-9));
        }
        CHECK(back.dependencies == t.dependencies);
        CHECK(back.uses == t.uses);
        REQUIRE(back.data.size() == 3);
        CHECK((back.data[1].name == "links" && back.data[1].tile == 1 && back.data[2].tile == -1));
        REQUIRE(back.transfers.size() == t.transfers.size());
        CHECK(back.transfers[7].bytes == t.transfers[7].bytes);
        CHECK(back.transfers[7].expected == t.transfers[7].expected);
        for (const std::string name : trace_files)
            if (name != "messages.csv") // of several ranks
                CHECK(fs::file_size(scratch / name) > 0);
    }
}

TEST_CASE("the tables for StarVZ have each task once, and name nothing that is not there")
{
    const test::Scratch scratch;
    for (unsigned seed = 1; seed <= 10; ++seed) {
        INFO(seed);
        const Trace t = random_trace(seed);
        write(scratch.path(), t);
        const test::Starvz tables(scratch / "starvz");
        tables.check();
        REQUIRE(tables.tasks.size() == t.tasks.size());
        CHECK(tables.dag.size() == t.dependencies.size());
        CHECK(tables.links.size() == t.transfers.size());
        CHECK(tables.memory.size() == t.transfers.size());
        CHECK(tables.handles.size() == t.data.size());
        CHECK(tables.events.size() == t.marks.size());
        std::map<std::string, const TraceTask*> jobs;
        for (const TraceTask& task : t.tasks) jobs[std::to_string(task.job)] = &task;
        for (const test::StarvzRow& s : tables.workers) {
            if (!test::Starvz::is_application(s)) continue;
            const TraceTask& task = *jobs.at(s.at("JobId"));
            constexpr double us = 1e-3; // of a table's milliseconds
            CHECK(test::number_in(s, "Start") == Approx(1e3 * task.started).margin(us));
            CHECK(test::number_in(s, "End") == Approx(1e3 * task.ended).margin(us));
            CHECK(s.at("Value") == t.operations[task.operation]);
            CHECK(s.at("Params") == (task.batch < 0 ? "NA" : fmt::format("batch={}", task.batch)));
            CHECK(s.at("X") == (task.tile < 0 ? "NA" : std::to_string(task.tile)));
        }
    }
}

TEST_CASE("of several ranks StarVZ's tables have the rank before each name, and messages")
{
    const test::Scratch scratch;
    Trace t = random_trace(5);
    t.memories = {"rank 0 NUMA 0", "rank 1 NUMA 0"};
    t.workers = {{"rank 0 CPU 0", "CPU", "rank 0 cores"},
                 {"rank 1 CUDA 0", "CUDA", "rank 1 CUDA 3.1 (a GPU)", {}, {}, 1, 1}};
    std::erase_if(t.tasks, [](const TraceTask& task) { return task.worker > 1; });
    t.tasks.back().worker = 1;
    t.messages = {{"faces", 0, 1, 100, 0.001, 0.002, 0.003}};
    finish(t);
    write(scratch.path(), t);
    const test::Starvz tables(scratch / "starvz");
    tables.check();
    std::set<std::string> workers;
    for (const test::StarvzRow& s : tables.workers) workers.insert(s.at("ResourceId"));
    CHECK(workers == std::set<std::string>{"0_CPU0", "1_CUDA3_1"});
    REQUIRE(tables.links.size() == t.transfers.size() + 1);
    CHECK(tables.links.back().at("Origin") == "0_program");
    CHECK(tables.links.back().at("Type") == "MPI communication");
    CHECK(tables.links.front().at("Dest") == "1_MEMMANAGER0");
}

TEST_CASE("a trace of an earlier version, without jobs and data, is read")
{
    const test::Scratch scratch;
    const Trace t = random_trace(2);
    write(scratch.path(), t);
    fs::remove(scratch / "data.csv");
    std::istringstream in(test::read_text(scratch / "tasks.csv"));
    std::string text;
    for (std::string line; std::getline(in, line);) {
        for (int column = 0; column < 4; ++column) line.erase(line.rfind(','));
        text += line + "\n";
    }
    test::write_text(scratch / "tasks.csv", text);
    const Trace back = read_trace(scratch.path());
    CHECK(back.tasks.size() == t.tasks.size());
    CHECK(back.tasks.front().job == -1);
    CHECK(back.dependencies.empty());
}

TEST_CASE("the graph of an iteration has a box for each operation and a line for each use")
{
    Trace t;
    t.workers = {{"CPU 0", "CPU", "cores"}};
    t.operations = {"hopping_f64", "a<b"};
    t.data = {{"spinor", 0, 8}, {"sums", -1, 8}};
    const auto add = [&](int operation, int iteration, long job) {
        TraceTask task;
        task.operation = operation;
        task.iteration = iteration;
        task.job = job;
        task.started = double(job);
        task.ended = task.started + 0.5;
        t.tasks.push_back(task);
    };
    add(0, 0, 0);
    add(0, 1, 1); // writes what the next one reads
    add(1, 1, 2);
    add(0, 0, 3); // of another solve
    add(0, 1, 4);
    t.uses = {{0, 0, TraceUse::writes}, {1, 1, TraceUse::reads},  {1, 0, TraceUse::updates},
              {2, 0, TraceUse::reads},  {2, 1, TraceUse::writes}, {4, 1, TraceUse::reads}};
    t.dependencies = {{1, 0}, {2, 1}, {4, 2}};
    finish(t);
    CHECK(usual_iteration(t) == std::pair(1, 1));
    const std::string svg = draw_graph(t, {1, 1});
    const auto count = [&](const std::string& what) {
        int n = 0;
        for (std::size_t at = 0; (at = svg.find(what, at)) != svg.npos; ++at) ++n;
        return n;
    };
    CHECK(count("500000.0 us") == 2);
    CHECK(count("<path") == 5);
    CHECK(count("#ececec") == 2); // spinor and sums from before
    CHECK(count(">spinor, tile 0<") == 2);
    CHECK(count("a&lt;b") == 1);
    CHECK_THROWS_WITH(draw_graph(t, {7, 8}), Catch::Contains("no operation of iterations 7:8"));
    for (int i = 0; i <= most_drawn; ++i) add(0, 9, 10 + i);
    CHECK_THROWS_WITH(draw_graph(t, {9, 9}), Catch::Contains("a picture holds 400"));
    t.uses.clear();
    CHECK_THROWS_WITH(draw_graph(t, {1, 1}), Catch::Contains("--graph"));
}

TEST_CASE("trace.json has each task and copy, and no time below 0")
{
    const test::Scratch scratch;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        INFO(seed);
        const Trace t = random_trace(seed); // copies begin before the first task, too
        write(scratch.path(), t);
        const auto j = nlohmann::json::parse(test::read_text(scratch / "trace.json"));
        std::map<std::string, std::size_t> count;
        for (const auto& event : j.at("traceEvents")) {
            ++count[event.at("ph")];
            if (event.contains("ts")) CHECK(event.at("ts") >= 0);
        }
        CHECK(count["X"] == t.tasks.size());
        CHECK(count["b"] == t.transfers.size());
        CHECK(count["e"] == t.transfers.size());
    }
}

TEST_CASE("a trace cut at random, or with flipped bits, is read or refused in one line")
{
    const test::Scratch scratch;
    std::mt19937 random(test::seed(7));
    write(scratch.path(), random_trace(3, 20));
    int refused = 0;
    for (int i = 0; i < 3000; ++i) {
        const std::string file =
            scratch / (std::array{"tasks.csv", "trace.meta.json", "transfers.csv"})[i % 3];
        const std::string whole = test::read_text(file);
        std::string text = whole;
        const auto place = [&] {
            return std::uniform_int_distribution<std::size_t>(0, text.size() - 1)(random);
        };
        const std::size_t flips = std::size_t(i % 5);
        if (flips == 0) text.resize(place());
        for (std::size_t f = 0; f < flips; ++f) text[place()] ^= char(1 << place() % 8);
        test::write_text(file, text);
        try {
            const Trace t = read_trace(scratch.path());
            make_profile(t);
            draw_timeline(t, "picture");
            ready_tasks(t);
        } catch (const Error& e) {
            ++refused;
            CHECK(e.exit_status() == exit_bad_input);
            CHECK(std::string(e.what()).find('\n') == std::string::npos);
        }
        test::write_text(file, whole);
    }
    CHECK(refused > 1000);
    CHECK_NOTHROW(read_trace(scratch.path()));
}

TEST_CASE("a folder without a trace, or with another's, is refused")
{
    const test::Scratch scratch;
    CHECK_THROWS_AS(read_trace(scratch.path()), Error);
    CHECK_THROWS_AS(read_trace(scratch / "none"), Error);
    write(scratch.path(), random_trace(1));
    const std::string meta = scratch / "trace.meta.json", tasks = scratch / "tasks.csv";
    const std::string was = test::read_text(meta);
    for (const char* other : {"", "null", "[]", "{}", "{\"format\": 3}",
                              "{\"format\": \"qcd_starpu trace\", \"version\": 2}"}) {
        test::write_text(meta, other);
        CHECK_THROWS_AS(read_trace(scratch.path()), Error);
    }
    test::write_text(meta, std::string(1000000, '[')); // as deep as a stack is not
    CHECK_THROWS_AS(read_trace(scratch.path()), Error);
    test::write_text(meta, was);
    const std::string head = test::read_text(tasks).substr(0, test::read_text(tasks).find('\n'));
    for (const char* line : {"", "a,0,0,0,0,0,0,0,0", "a,0,0,9,0,0,0,0,0,", "a,0,0,0,0,0,2,1,0,",
                             "a,0,0,0,0,0,nan,1,0,", "a,0,0,0,0,0,0,inf,0,", ",0,0,0,0,0,0,1,0,",
                             "a,-1,0,0,0,0,0,1,0,", "a,0,0,0,0,0,0,1e300,0,"}) {
        INFO(line);
        test::write_text(tasks, head + "\n" + line + ",0,,,\n");
        CHECK_THROWS_AS(read_trace(scratch.path()), Error);
    }
    for (const char* jobs : {"-1,0,,", "0,-1,,", "0,x,,", "0,1,x,", "0,1,0  2,", "0,1,,R",
                             "0,1,,X:0", "0,1,,R:3", "0,1,,R:-1", "0,1,,R:0 ", "0,1,,,"}) {
        INFO(jobs);
        test::write_text(tasks, head + "\na,,,0,0,0,0,1,0,," + jobs + "\n");
        CHECK_THROWS_AS(read_trace(scratch.path()), Error);
    }
    test::write_text(tasks, head + "\na,,,0,0,0,0,1,0,,0,1,0 7,R:0 RW:2\n");
    CHECK_NOTHROW(read_trace(scratch.path()));
    test::write_text(tasks, head + "\n");
    CHECK_THROWS_WITH(read_trace(scratch.path()), Catch::Contains("no task"));
}

TEST_CASE("results of an earlier run end when there are new ones, also those of the other recorder")
{
    const test::Scratch scratch;
    write(scratch.path(), random_trace(1));
    for (const char* name : {"fxt_0", "dag.dot", "tasks.rec", "messages.csv"})
        test::write_text(scratch / name, "old");
    test::write_text(scratch / "letter", "dear");
    const auto files = [&] {
        std::map<std::string, std::string> all;
        for (const auto& file : fs::recursive_directory_iterator(scratch.path()))
            if (file.is_regular_file())
                all[file.path().lexically_relative(scratch.path())] = test::read_text(file.path());
        return all;
    };
    const auto before = files();
    {
        const TraceFolder folder(scratch.path());
        CHECK_THROWS_WITH(TraceFolder(scratch.path()), Catch::Contains("another run records into"));
        CHECK(files() == before);
    }
    CHECK(files() == before); // nothing was recorded
    CHECK_FALSE(fs::exists(scratch / "unfinished"));
    write(scratch.path(), random_trace(2));
    const auto after = files();
    CHECK(after.at("letter") == "dear");
    CHECK(after.at("tasks.csv") != before.at("tasks.csv"));
    std::set<std::string> expected(std::begin(trace_files), std::end(trace_files));
    expected.erase("messages.csv");
    expected.insert("letter");
    std::set<std::string> names;
    for (const auto& [name, text] : after) names.insert(name);
    CHECK(names == expected);
}

TEST_CASE("a trace that cannot be written leaves the earlier one, whole")
{
    const test::Scratch scratch;
    write(scratch.path(), random_trace(1));
    const std::string tasks = test::read_text(scratch / "tasks.csv");
    TraceFolder folder(scratch.path());
    fs::create_directory(scratch / "unfinished/trace.json");
    const Trace t = random_trace(2);
    CHECK_THROWS_AS(folder.write(t, make_profile(t)), Error);
    CHECK(test::read_text(scratch / "tasks.csv") == tasks);
    CHECK_NOTHROW(read_trace(scratch.path()));
}

TEST_CASE("a folder of somebody else's is refused, and one that was made for nothing goes again")
{
    const test::Scratch scratch;
    CHECK_THROWS_AS(TraceFolder("/proc/nowhere"), Error);
    {
        const TraceFolder folder(scratch / "new/folder");
        CHECK(fs::is_directory(scratch / "new/folder"));
    }
    CHECK(fs::is_empty(scratch.path()));
    const std::string other = scratch / "other";
    fs::create_directory(other);
    CHECK_NOTHROW(TraceFolder(other)); // it is empty
    for (const char* name : {"trace.json", "tasks.csv", "dag.dot", "tasks.rec", "profile.txt"})
        test::write_text(other + "/" + name, "of another program");
    const auto refused = [&] {
        CHECK_THROWS_WITH(TraceFolder(other), Catch::Contains("has files in it, and no trace of "
                                                              "this program"));
        CHECK(test::read_text(other + "/tasks.csv") == "of another program");
        CHECK_FALSE(fs::exists(other + "/unfinished/fxt_0"));
    };
    refused();
    for (const char* mark : {"", "{}", "[1]", "{\"format\": \"another\"}"}) {
        test::write_text(other + "/trace.meta.json", mark);
        refused();
    }
    fs::create_directory(other + "/unfinished");
    refused();
    // A trace of a version to come is this program's all the same.
    test::write_text(other + "/trace.meta.json",
                     "{\"format\": \"qcd_starpu trace\", \"version\": 7}");
    CHECK_NOTHROW(TraceFolder(other));
}

TEST_CASE("cropping a trace cuts tasks and keeps the time between")
{
    std::mt19937 random(test::seed(5));
    for (unsigned seed = 1; seed <= 20; ++seed) {
        const Trace t = random_trace(seed);
        const double middle = t.from + ns(random, long(1e9 * (t.to - t.from)));
        double sum = 0;
        for (const auto& [from, to] : {std::pair{-1.0, middle}, std::pair{middle, 1e9}}) {
            try {
                const Trace part = cropped(t, from, to);
                sum += busy(part);
                for (const TraceTask& task : part.tasks) {
                    CHECK(task.started >= part.from);
                    CHECK(task.ended <= part.to);
                }
            } catch (const Error&) {
            } // nothing there
        }
        CHECK(sum == Approx(busy(t)));
        CHECK_THROWS_AS(cropped(t, t.to, t.to + 1), Error);
    }
}

TEST_CASE("iterations of a trace: marks, and the time that they took")
{
    Trace t;
    t.workers = {{"CPU 0", "CPU", "cores"}};
    t.operations = {"a"};
    double time = 0;
    for (const int iteration : {-1, 0, 1, 2, 0, 1, 2}) // two solves
        for (int i = 0; i < 3; ++i, time += 1) {
            TraceTask task;
            task.iteration = iteration;
            task.submitted = task.started = time;
            task.ended = time + 0.5;
            t.tasks.push_back(task);
        }
    finish(t);
    const std::vector<IterationMark>& marks = t.marks;
    REQUIRE(marks.size() == 6);
    for (int i = 0; i < 6; ++i) {
        CHECK(marks[i].iteration == i % 3);
        CHECK(marks[i].time == 3 + 3 * i);
    }
    const Trace part = cropped(t, 4, 9.5); // iteration 0 began before
    REQUIRE(part.marks.size() == 2);
    CHECK(part.marks[0].iteration == 1);
    CHECK(part.marks[1].time == 9);
    CHECK(time_of_iterations(t, 2, 2) == std::pair(9.0, 20.5));
    CHECK(time_of_iterations(t, 0, 99) == std::pair(3.0, 20.5));
    CHECK_THROWS_AS(time_of_iterations(t, 3, 4), Error);
}

TEST_CASE("counters of a trace begin and end at nothing")
{
    for (unsigned seed = 1; seed <= 20; ++seed) {
        const Trace t = random_trace(seed);
        for (const std::vector<Step>& steps : {ready_tasks(t), bytes_per_second(t)}) {
            if (steps.empty()) continue;
            CHECK(steps.back().value == 0);
            for (std::size_t i = 0; i < steps.size(); ++i) {
                CHECK(steps[i].value >= 0);
                if (i) CHECK(steps[i - 1].time < steps[i].time);
            }
        }
    }
}

TEST_CASE("each operation has a colour of its own, the same with others beside it")
{
    const std::vector<std::string> names{
        "hopping_f64",      "pack_faces_f64",    "cr_update_f64", "merge_sums_f64", "dot_f64",
        "chiral_scale_f64", "cr_alpha_beta_f64", "batch",         "heat_step",      "heat_sum"};
    std::set<std::string> colours{idle_colour.hex()};
    for (const Colour& c : palette(names)) CHECK(colours.insert(c.hex()).second);
    CHECK(palette({"hopping_links12_f32"})[0].hex() == palette(names)[0].hex());
    CHECK(colour_of_group("hopping").hex() == palette({"hopping_sums_with_faces_f64"})[0].hex());
    CHECK(colour_of_group("faces").hex() == palette({"pack_faces_f64"})[0].hex());
    CHECK(colour_of_group("updates").hex() == palette({"cr_update_f64"})[0].hex());
    CHECK(colour_of_group("sums").hex() == palette({"merge_sums_f64"})[0].hex());
    std::set<std::string> groups{idle_colour.hex()};
    for (const char* group : {"hopping", "faces", "updates", "sums", "other"})
        for (const bool lighter : {false, true})
            CHECK(groups.insert(colour_of_group(group, lighter).hex()).second);
}

TEST_CASE("a picture has all of what is busy, and a size that does not grow with the trace")
{
    Trace t = random_trace(11);
    t.about = {{"lattice", "4x4x4x8"}, {"plan", "graph: 2 tiles; a task"}, {"cpu", "a \"CPU\""}};
    for (const char* const bus : {"06", "07"})
        t.workers.push_back({fmt::format("CUDA {}", bus), "CUDA",
                             fmt::format("CUDA 1.0 (NVIDIA H200 125.8 GiB 00:{}.0)", bus)});
    t.workers.push_back({"CPU 9", "CPU", "cores"});
    const Timeline small = draw_timeline(t, "picture");
    CHECK_THAT(small.script,
               Catch::Contains("\"4x4x4x8, plan graph: 2 tiles\"") &&
                   Catch::Contains("\"a GPU and 2 x NVIDIA H200 and a 'CPU'; a row is a worker"));
    for (const TraceWorker& w : t.workers)
        CHECK_THAT(small.script, Catch::Contains('"' + w.name + '"') && Catch::Contains("\"ms"));
    // A hundred thousand short tasks, busy two thirds of the time.
    t.tasks.clear();
    t.workers.resize(1);
    for (int i = 0; i < 100000; ++i) {
        TraceTask task;
        task.operation = i % 3;
        task.started = 3e-6 * i;
        task.ended = task.started + 2e-6;
        t.tasks.push_back(task);
    }
    finish(t);
    const Timeline large = draw_timeline(t, "picture");
    CHECK(std::count(large.data.begin(), large.data.end(), '\n') < 4000);
    double shown = 0, from = 0, to = 0;
    std::istringstream lines(large.data);
    for (std::string line; std::getline(lines, line);)
        if (std::sscanf(line.c_str(), "0 %lf %lf", &from, &to) == 2) shown += to - from;
    CHECK(shown == Approx(1e3 * (t.to - t.from)).epsilon(0.01)); // more than half of each pixel
}
