// --trace and the command `trace` as a user runs them; other programs read what is written.

#include "tests/drivers/json_schema.hpp"
#include "tests/drivers/program.hpp"
#include "tests/seed.hpp"
#include "tests/starvz.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <tuple>

using namespace qcd::test;
using Json = nlohmann::json;
using Catch::Contains;
namespace fs = std::filesystem;

namespace
{

const std::string cores = "--cuda 0 --opencl 0 --cpus 2 ";
const std::string graph =
    "--lattice 8x8x8x16 --tiles 1x1x1x4 --iterations 20 --plan graph " + cores;

bool has_program(const char* name)
{
    if (std::system(fmt::format("command -v {} >/dev/null", name).c_str()) == 0) return true;
    WARN(fmt::format("SKIPPED: {} is not installed", name));
    return false;
}

std::vector<std::string> fields_of(const std::string& line, char separator)
{
    std::vector<std::string> fields;
    std::istringstream in(line + separator);
    for (std::string field; std::getline(in, field, separator);) {
        field.erase(0, field.find_first_not_of(' '));
        fields.push_back(field);
    }
    return fields;
}

/// The lines of a table below its head.
std::vector<std::vector<std::string>> table(const std::string& file)
{
    std::istringstream in(read_text(file));
    std::vector<std::vector<std::string>> rows;
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) rows.push_back(fields_of(line, ','));
    return rows;
}

/// By operation and worker: how many, and their times in ms.
using Sums = std::map<std::pair<std::string, int>, std::pair<long, double>>;

Sums sums_of_tasks(const std::string& folder)
{
    Sums sums;
    for (const auto& row : table(folder + "/tasks.csv")) {
        auto& [count, ms] = sums[{row.at(0), std::stoi(row.at(3))}];
        ++count;
        ms += 1e-3 * (std::stod(row.at(7)) - std::stod(row.at(6)));
    }
    return sums;
}

/// Sums over StarPU's tasks.rec.
Sums sums_of_records(const std::string& file)
{
    Sums sums;
    std::istringstream in(read_text(file));
    std::map<std::string, std::string> record;
    for (std::string line; std::getline(in, line);) {
        if (const std::size_t colon = line.find(": "); colon != std::string::npos) {
            record[line.substr(0, colon)] = line.substr(colon + 2);
        } else if (record.count("Name") && record.count("EndTime")) {
            auto& [count, ms] = sums[{record["Name"], std::stoi(record["WorkerId"])}];
            ++count;
            ms += std::stod(record["EndTime"]) - std::stod(record["StartTime"]);
            record.clear();
        } else {
            record.clear();
        }
    }
    return sums;
}

/// What pj_dump makes of paje.trace: states are "State, container, type, start, end, duration,
/// ..., value".
void check_paje(const std::string& folder, const Json& summary)
{
    const Scratch scratch;
    REQUIRE(std::system(fmt::format("pj_dump {}/paje.trace >{} 2>{}", folder, scratch / "dump",
                                    scratch / "errors")
                            .c_str()) == 0);
    CHECK(read_text(scratch / "errors").empty());
    const double wall = summary.at("to_ms").get<double>() - summary.at("from_ms").get<double>();
    std::map<std::string, double> states, idle; // of each worker, ms
    long tasks = 0;
    std::set<std::string> kinds;
    std::istringstream in(read_text(scratch / "dump"));
    for (std::string line; std::getline(in, line);) {
        const auto f = fields_of(line, ',');
        kinds.insert(f.at(0));
        if (f.at(0) != "State") continue;
        states[f.at(1)] += std::stod(f.at(5));
        (f.back() == "Idle" ? idle[f.at(1)] : states[""]) += std::stod(f.at(5));
        tasks += f.back() != "Idle";
    }
    states.erase("");
    for (const char* kind : {"Container", "State", "Event", "Variable"})
        CHECK(kinds.count(kind) == 1);
    CHECK(tasks == summary.at("tasks"));
    REQUIRE(states.size() == summary.at("workers").size());
    for (const Json& worker : summary.at("workers")) {
        const std::string name = worker.at("name");
        CHECK(states.at(name) == Approx(wall).epsilon(0.01));
        const auto ms = [&](const char* key) { return worker.at(key).get<double>(); };
        const double outside = ms("overhead_ms") + ms("waiting_ms") + ms("idle_ms");
        CHECK(idle[name] == Approx(outside).epsilon(0.01).margin(0.01 * wall));
        CHECK(ms("busy_ms") + outside == Approx(wall).epsilon(0.01));
    }
}

/// By the format's description: "X" is an operation, once for each.
void check_chrome(const std::string& folder, const Json& summary)
{
    const Json j = Json::parse(read_text(folder + "/trace.json"));
    check_valid("trace-event", j);
    double busy = 0;
    long tasks = 0;
    for (const Json& event : j.at("traceEvents")) {
        if (event.at("ph") != "X") continue;
        ++tasks;
        busy += 1e-3 * event.at("dur").get<double>();
    }
    CHECK(tasks == summary.at("tasks"));
    double expected = 0;
    for (const Json& worker : summary.at("workers")) expected += worker.at("busy_ms").get<double>();
    CHECK(busy == Approx(expected));
}

} // namespace

TEST_CASE("pj_dump and a reader of Chrome's format find in a trace what its summary says")
{
    if (!has_program("pj_dump")) return;
    const Scratch scratch;
    const std::string plan = GENERATE("graph --tiles 1x1x1x4 --cpus 2 ", "batch:4 --cpus 1 ");
    INFO(plan);
    const std::string folder = scratch / "t";
    solve("--lattice 8x8x8x16 --iterations 20 --cuda 0 --opencl 0 --plan " + plan + "--trace " +
          folder);
    const Outcome o = run("trace " + folder);
    REQUIRE(o.status == 0);
    check_valid("trace", o.json);
    check_paje(folder, o.json);
    check_chrome(folder, o.json);
    const Json meta = Json::parse(read_text(folder + "/trace.meta.json"));
    CHECK(meta.at("about") == o.json.at("about"));
    const std::string command = meta.at("about").at("command");
    CHECK(command.find("--plan " + plan.substr(0, 5)) != std::string::npos);
}

TEST_CASE("StarVZ's tables of a run have each operation once, by whatever plan")
{
    const Scratch scratch;
    const std::string plan =
        GENERATE("graph --cpus 2", "pinned --cpus 2", "batch:4 --cpus 1", "replay --cpus 2",
                 "graph --cpus 1 --opencl 1", "batch:2 --cpus 0 --opencl 1");
    INFO(plan);
    if (plan.find("opencl 1") != plan.npos && !works("opencl", "--cpus 0 --cuda 0 --opencl 1"))
        return;
    const std::string folder = scratch / "t";
    const std::string tiles = plan.starts_with("batch") ? "" : "--tiles 1x1x1x2 ";
    solve("--lattice 4x4x4x8 --iterations 40 --cuda 0 " + tiles + "--plan " + plan + " --trace " +
          folder);
    const Starvz tables(folder + "/starvz");
    tables.check();
    CHECK(!tables.dag.empty());
    CHECK(!tables.handles.empty());
    // As in tasks.csv, to the microsecond.
    std::map<std::string, std::pair<double, double>> times;
    const auto rows = table(folder + "/tasks.csv");
    for (const auto& row : rows) times[row.at(11)] = {std::stod(row.at(6)), std::stod(row.at(7))};
    REQUIRE(times.size() == rows.size());
    REQUIRE(tables.tasks.size() == rows.size());
    long inside = 0;
    for (const StarvzRow& s : tables.workers) {
        if (!Starvz::is_application(s)) continue;
        const auto& [started, ended] = times.at(s.at("JobId"));
        CHECK(1e3 * number_in(s, "Start") == Approx(started).margin(1));
        CHECK(1e3 * number_in(s, "End") == Approx(ended).margin(1));
        inside += s.at("Params") != "NA";
    }
    const bool is_list = plan.starts_with("batch") || plan.starts_with("replay");
    CHECK((inside > 0) == is_list);
    CHECK(!tables.threads.empty() == is_list);
    for (const StarvzRow& s : tables.threads)
        CHECK(s.at("Value") == (plan.starts_with("replay") ? "replay" : "batch"));
    CHECK(tables.links.size() == table(folder + "/transfers.csv").size());
}

TEST_CASE("the trace of cores and PoCL has the copies that StarPU counts")
{
    const std::string both = "--cpus 1 --cuda 0 --opencl 1 ";
    if (!works("opencl", both)) return;
    const Scratch scratch;
    const std::string folder = scratch / "t";
    const Json j = solve("--lattice 4x4x4x8 --tiles 1x1x1x4 --iterations 10 --plan graph " + both +
                         "--trace " + folder);
    double bytes = 0;
    for (const auto& row : table(folder + "/transfers.csv")) bytes += std::stod(row.at(4));
    CHECK(bytes == j.at("bytes_moved"));
    const Json summary = run("trace " + folder).json;
    check_valid("trace", summary);
    CHECK(summary.at("evicted").empty()); // there is room
    check_chrome(folder, summary);
    if (has_program("pj_dump")) check_paje(folder, summary);
    std::set<std::string> devices;
    for (const Json& worker : summary.at("workers")) devices.insert(worker.at("device"));
    CHECK(devices.size() == 2);
}

TEST_CASE("what gives way in a device's memory is in its trace")
{
    const std::string device = "--cuda 0 --cpus 0 --opencl 1 ";
    if (!works("opencl", device)) return;
    constexpr double limit = 100 << 20;
    const Scratch scratch;
    const std::string folder = scratch / "t";
    solve("--lattice 16x16x16x32 --links 18 --iterations 3 " + device +
          "--gpu-memory 100M --trace " + folder);
    const Outcome o = run("trace " + folder);
    check_valid("trace", o.json);
    REQUIRE(o.json.at("evicted").size() == 1);
    const Json evicted = o.json.at("evicted").at(0);
    CHECK_THAT(evicted.at("memory").get<std::string>(), Contains("OpenCL"));
    // What came in and has not gone is there.
    double came = 0;
    for (const Json& m : o.json.at("moved"))
        if (m.at("to") == evicted.at("memory")) came += m.at("bytes").get<double>();
    CHECK(came > limit);
    CHECK(evicted.at("bytes").get<double>() >= came - limit);
    CHECK(evicted.at("count").get<long>() == long(table(folder + "/evictions.csv").size()));
    CHECK_THAT(o.out, Contains("evictions"));
}

TEST_CASE("of batches on a device every eighth is looked into, and the others are there")
{
    const std::string device = "--cpus 0 --cuda 0 --opencl 1 ";
    if (!works("opencl", device)) return;
    const Scratch scratch;
    const std::string folder = scratch / "t";
    solve("--lattice 4x4x4x8 --iterations 40 --plan batch:2 " + device + "--trace " + folder);
    const auto rows = table(folder + "/tasks.csv");
    std::set<int> whole, inside;
    for (const auto& row : rows) // some operations are tasks of their own
        if (!row.at(9).empty())
            (row.at(0) == "batch" ? whole : inside).insert(std::stoi(row.at(9)));
    CHECK(whole.size() + inside.size() >= 20);
    for (const int batch : whole) CHECK(batch % 8 != 0);
    for (const int batch : inside) CHECK(batch % 8 == 0);
}

TEST_CASE("the two recorders agree: the same tasks on the same workers, times within 5%")
{
    if (run("info").json.at("starpu").at("features").at("fxt") != true) {
        WARN("SKIPPED: traces by FxT; this StarPU has none");
        return;
    }
    const Scratch scratch;
    const std::string ours = scratch / "t", theirs = scratch / "f";
    solve("--lattice 16x16x16x16 --tiles 1x1x1x4 --iterations 10 --plan graph " + cores +
          "--trace " + ours + " --trace-fxt " + theirs);
    const Sums a = sums_of_tasks(ours), b = sums_of_records(theirs + "/tasks.rec");
    REQUIRE(a.size() == b.size());
    double all_ours = 0, all_theirs = 0; // of one task a machine may interrupt either recorder
    long tasks = 0;
    for (const auto& [key, sum] : a) {
        INFO(key.first << " on worker " << key.second);
        REQUIRE(b.count(key) == 1);
        const auto& [count, ms] = b.at(key);
        CHECK(sum.first == count);
        tasks += long(count);
        all_ours += sum.second;
        all_theirs += ms;
    }
    constexpr double around = 0.01; // ms of a task, in which StarPU sets it up
    CHECK(std::abs(all_ours - all_theirs) <= 0.05 * all_theirs + around * double(tasks));
    for (const char* name : {"fxt_0", "dag.dot", "tasks.rec", "paje.trace", "profile.txt"})
        CHECK(fs::file_size(theirs + "/" + name) > 0);
}

TEST_CASE("trace: text, cropping, comparison and pictures")
{
    const Scratch scratch;
    const std::string folder = scratch / "t", other = scratch / "u";
    solve(graph + "--trace " + folder);
    solve(graph + "--sched eager --trace " + other);
    const Json whole = run("trace " + folder).json;
    SECTION("text")
    {
        const Outcome o = run("trace " + folder);
        for (const char* word : {"command", "CPU 1", "hopping_links12_f64", "####", "idle", "ms"})
            CHECK_THAT(o.out, Contains(word));
        CHECK(run("trace --quiet " + folder).out.empty());
    }
    SECTION("iterations and times")
    {
        const Json j = run("trace --iterations 5:9 " + folder).json;
        check_valid("trace", j);
        CHECK(j.at("first_iteration") <= 5);
        CHECK(j.at("last_iteration") >= 9);
        CHECK(j.at("tasks") < whole.at("tasks"));
        CHECK(j.at("from_ms") > whole.at("from_ms"));
        const double from = j.at("from_ms"), to = j.at("to_ms");
        const Json same = run(fmt::format("trace --from {} --to {} {}", from, to, folder)).json;
        CHECK(same.at("from_ms").get<double>() == Approx(from));
        CHECK(same.at("to_ms").get<double>() == Approx(to));
        CHECK(run("trace --iterations 100:200 " + folder).status == 2);
        CHECK(run("trace --from 1e9 " + folder).status == 2);
    }
    SECTION("comparison")
    {
        const Outcome o = run("trace " + folder + " --compare " + other);
        check_valid("trace", o.json);
        double change = 0;
        for (const Json& row : o.json.at("comparison").at("rows"))
            change += row.at("change_ms").get<double>();
        const double before = whole.at("to_ms").get<double>() - whole.at("from_ms").get<double>();
        const double after = o.json.at("comparison").at("wall_ms");
        CHECK(change == Approx(2 * (after - before)).margin(0.01));
        CHECK_THAT(o.out, Contains("longer ms"));
        CHECK(run("trace " + folder + " --compare nowhere").status == 2);
    }
    SECTION("pictures")
    {
        if (!has_program("gnuplot")) return;
        const std::string svg = scratch / "a.svg", png = scratch / "a.png";
        CHECK(run("trace " + folder + " --svg " + svg + " --png " + png).status == 0);
        CHECK_THAT(read_text(svg), Contains("<svg") && Contains("hopping_links12_f64") &&
                                       Contains("CPU 1") && Contains("ms"));
        CHECK(read_text(png).substr(1, 3) == "PNG");
    }
}

TEST_CASE("trace: a picture on stdout is there alone")
{
    const Scratch scratch;
    solve("--lattice 4x4x4x8 --iterations 3 --tiles 1x1x1x2 --plan graph " + cores + "--trace " +
          (scratch / "t"));
    const Outcome o = run("trace " + (scratch / "t") + " --graph -");
    CHECK(o.status == 0);
    CHECK(o.out.starts_with("<svg"));
    CHECK(o.out.ends_with("</svg>\n"));
    CHECK_THAT(o.err, Contains("tasks"));
}

TEST_CASE("trace: damaged and foreign input end with one line and status 2")
{
    const Scratch scratch;
    const std::string folder = scratch / "t";
    solve("--lattice 4x4x4x8 --iterations 3 --tiles 1x1x1x2 --plan graph " + cores + "--trace " +
          folder);
    std::mt19937 random(seed(1));
    for (int i = 0; i < 30; ++i) {
        const std::string file = folder + (i % 2   ? "/tasks.csv"
                                           : i % 4 ? "/trace.meta.json"
                                                   : "/transfers.csv");
        const std::string whole = read_text(file);
        std::string text = whole;
        const auto place = [&] {
            return std::uniform_int_distribution<std::size_t>(0, text.size() - 1)(random);
        };
        if (i % 3 == 0)
            text.resize(place());
        else
            for (int flips = 0; flips < 3; ++flips) text[place()] ^= char(1 << place() % 8);
        write_text(file, text);
        const Outcome o = run("trace " + folder);
        INFO(file << ": " << o.err);
        CHECK((o.status == 0 || o.status == 2));
        CHECK(std::count(o.err.begin(), o.err.end(), '\n') == (o.status == 2 ? 1 : 0));
        if (o.status == 2) CHECK(o.out.empty());
        write_text(file, whole);
    }
    CHECK(run("trace " + folder).status == 0);
    std::filesystem::create_directory(scratch / "fxt");
    write_text(scratch / "fxt/fxt_0", "");
    const Outcome fxt = run("trace " + scratch / "fxt");
    CHECK(fxt.status == 2);
    CHECK(fxt.err.find("is of --trace-fxt") != std::string::npos);
    write_text(folder + "/tasks.csv", "\x7f"
                                      "ELF");
    CHECK(run("trace " + folder).status == 2);
}
