#include "drivers/simulation/machine_file.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>
#include <utility>

namespace fs = std::filesystem;

namespace qcd
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr int machine_format = 1;
constexpr std::size_t largest_machine_file = 16 << 20;
constexpr int most_cores = 128, most_cuda = 8, most_opencl = 4; // of StarPU as it is built here
constexpr int most_nodes = 256;                                 // a copy of StarPU each

/// An object of which each member is looked at; what is wrong is told with the way to it.
class Reader
{
public:
    Reader(const Json& json, std::string where) : json_(json), where_(std::move(where))
    {
        if (!json.is_object()) fail("is not an object");
    }
    [[noreturn]] void fail(const std::string& what) const
    {
        throw Error(where_.empty() ? what : fmt::format("{} {}", where_, what));
    }
    bool has(const char* name) const { return json_.contains(name); }
    const Json& at(const char* name) const
    {
        if (!has(name)) fail(fmt::format("has no {}", qcd::quoted(name)));
        return json_[name];
    }
    std::string way(const char* name) const
    {
        return where_.empty() ? name : fmt::format("{}.{}", where_, name);
    }
    double number(const char* name, double least, std::optional<double> otherwise = {}) const
    {
        if (!has(name) && otherwise) return *otherwise;
        const Json& j = at(name);
        const double value = j.is_number() ? j.get<double>() : NAN;
        if (!(value >= least && value <= 1e18))
            fail(fmt::format("{} is {}, not a number of at least {}", qcd::quoted(name),
                             qcd::quoted(j.dump()), least));
        return value;
    }
    long whole(const char* name, long least, long most, std::optional<long> otherwise = {}) const
    {
        if (!has(name) && otherwise) return *otherwise;
        const Json& j = at(name);
        if (!j.is_number_integer() || j.get<long>() < least || j.get<long>() > most)
            fail(fmt::format("{} is {}, not a whole number from {} to {}", qcd::quoted(name),
                             qcd::quoted(j.dump()), least, most));
        return j.get<long>();
    }
    std::string text(const char* name, std::optional<std::string> otherwise = {}) const
    {
        if (!has(name) && otherwise) return *otherwise;
        if (!at(name).is_string()) fail(fmt::format("{} is no text", qcd::quoted(name)));
        return at(name).get<std::string>();
    }
    Reader object(const char* name) const { return {at(name), way(name)}; }
    std::vector<Reader> list(const char* name) const
    {
        if (!at(name).is_array()) fail(fmt::format("{} is no list", qcd::quoted(name)));
        std::vector<Reader> all;
        for (const Json& j : at(name))
            all.emplace_back(j, fmt::format("{}[{}]", way(name), all.size()));
        return all;
    }
    /// A member that nobody knows may be one that is misspelt.
    void only(std::initializer_list<const char*> known) const
    {
        for (const auto& member : json_.items())
            if (std::none_of(known.begin(), known.end(),
                             [&](const char* k) { return member.key() == k; }))
                fail(fmt::format("has {}, which is none of {}", qcd::quoted(member.key()),
                                 fmt::join(known, ", ")));
    }

private:
    const Json& json_;
    std::string where_;
};

Bus bus_of(const Reader& r, const char* name, bool optional)
{
    if (optional && !r.has(name)) return {};
    const Reader bus = r.object(name);
    bus.only({"bytes_per_second", "latency_seconds"});
    return {bus.number("bytes_per_second", 1), bus.number("latency_seconds", 0)};
}

SimulatedDevices devices_of(const Reader& r, const char* name, int most)
{
    if (!r.has(name)) return {};
    const Reader d = r.object(name);
    d.only(
        {"count", "model", "memory_bytes", "to_device", "from_device", "between", "task_seconds"});
    return {.count = int(d.whole("count", 0, most)),
            .model = d.text("model", ""),
            .memory_bytes = d.whole("memory_bytes", 1 << 20, 1L << 50),
            .to = bus_of(d, "to_device", false),
            .from = bus_of(d, "from_device", false),
            .between = bus_of(d, "between", true),
            .task_seconds = d.number("task_seconds", 0)};
}

void add_nodes(const Reader& r, SimulatedMachine& m)
{
    if (!r.has("nodes")) return;
    const Reader nodes = r.object("nodes");
    nodes.only({"count", "network"});
    m.nodes = int(nodes.whole("count", 1, most_nodes));
    m.network = bus_of(nodes, "network", false);
}

TaskTime time_of(const Reader& r)
{
    r.only({"operation", "with", "worker", "busy", "bytes", "seconds", "low", "high", "calls"});
    TaskTime t{.operation = r.text("operation"),
               .with = {},
               .worker = r.text("worker"),
               .busy = int(r.whole("busy", 1, 4096)),
               .bytes = r.number("bytes", 0),
               .seconds = r.number("seconds", 0),
               .low = r.number("low", 0, 0),
               .high = r.number("high", 0, 0),
               .calls = r.whole("calls", 0, 1L << 50, 0)};
    if (t.worker != "CPU" && t.worker != "CUDA" && t.worker != "OpenCL")
        r.fail(fmt::format("\"worker\" is {}, none of CPU, CUDA, OpenCL", qcd::quoted(t.worker)));
    if (!r.has("with")) return t;
    const Json& with = r.at("with");
    if (!with.is_array() ||
        !std::all_of(with.begin(), with.end(), [](const Json& j) { return j.is_string(); }))
        r.fail("\"with\" is no list of names");
    t.with = with.get<std::vector<std::string>>();
    std::sort(t.with.begin(), t.with.end());
    return t;
}

SimulatedMachine machine_from(const Json& json)
{
    const Reader r(json, "");
    r.only({"$schema", "format", "name", "about", "cores", "cache_bytes_of_a_core", "cuda",
            "opencl", "nodes", "submit_seconds", "task_seconds", "times"});
    r.whole("format", machine_format, machine_format);
    SimulatedMachine m{.name = r.text("name"),
                       .about = r.text("about", ""),
                       .cores = int(r.whole("cores", 1, most_cores)),
                       .cache_bytes = r.whole("cache_bytes_of_a_core", 0, 1L << 40, 0),
                       .cuda = devices_of(r, "cuda", most_cuda),
                       .opencl = devices_of(r, "opencl", most_opencl),
                       .submit_seconds = r.number("submit_seconds", 0),
                       .task_seconds = r.number("task_seconds", 0)};
    add_nodes(r, m);
    for (const Reader& time : r.list("times")) m.times.push_back(time_of(time));
    if (m.times.empty()) r.fail("\"times\" is empty: no task has a time (qcd_starpu calibrate)");
    return m;
}

std::string contents(const std::string& file)
{
    std::error_code failed;
    if (!fs::is_regular_file(file, failed)) throw Error("there is no such file");
    std::ifstream in(file, std::ios::binary);
    std::string text(largest_machine_file + 1, '\0');
    if (!in) throw Error("it cannot be read");
    text.resize(std::size_t(in.read(text.data(), std::streamsize(text.size())).gcount()));
    if (text.size() > largest_machine_file) throw Error("longer than a machine file is");
    return text;
}

/// What the program keeps of this host lies there, beside StarPU's calibration; empty: nowhere.
std::string kept_folder()
{
    for (const auto& [name, below] :
         {std::pair("XDG_CACHE_HOME", "/qcd_starpu"), std::pair("STARPU_HOME", "/qcd_starpu"),
          std::pair("HOME", "/.cache/qcd_starpu")})
        if (const char* value = std::getenv(name); value && *value)
            return std::string(value) + below;
    return "";
}

Json json_of(const Bus& b)
{
    return {{"bytes_per_second", b.bytes_per_s}, {"latency_seconds", b.latency}};
}

Json json_of(const SimulatedDevices& d)
{
    Json j{{"count", d.count},
           {"model", d.model},
           {"memory_bytes", d.memory_bytes},
           {"to_device", json_of(d.to)},
           {"from_device", json_of(d.from)}};
    if (d.between.bytes_per_s > 0) j["between"] = json_of(d.between);
    j["task_seconds"] = d.task_seconds;
    return j;
}

/// Four digits: no more were measured.
double rounded(double seconds) { return std::stod(fmt::format("{:.4g}", seconds)); }

Json json_of(const TaskTime& t)
{
    return {{"operation", t.operation}, {"with", t.with},          {"worker", t.worker},
            {"busy", t.busy},           {"bytes", t.bytes},        {"seconds", rounded(t.seconds)},
            {"low", rounded(t.low)},    {"high", rounded(t.high)}, {"calls", t.calls}};
}

} // namespace

SimulatedMachine read_machine(const std::string& file)
{
    try {
        return machine_from(Json::parse(contents(file)));
    } catch (const Json::parse_error& e) {
        throw Error("machine {}: it is no JSON, at byte {}", qcd::quoted(file), e.byte);
    } catch (const Json::exception&) {
        throw Error("machine {}: it is damaged", qcd::quoted(file));
    } catch (const Error& e) {
        throw Error("machine {}: {}", qcd::quoted(file), e.what());
    }
}

Json to_json(const SimulatedMachine& m)
{
    Json j{{"format", machine_format}, {"name", m.name}, {"about", m.about}, {"cores", m.cores}};
    if (m.cache_bytes > 0) j["cache_bytes_of_a_core"] = m.cache_bytes;
    if (m.cuda.count > 0) j["cuda"] = json_of(m.cuda);
    if (m.opencl.count > 0) j["opencl"] = json_of(m.opencl);
    if (m.nodes > 1) j["nodes"] = {{"count", m.nodes}, {"network", json_of(m.network)}};
    j["submit_seconds"] = rounded(m.submit_seconds);
    j["task_seconds"] = rounded(m.task_seconds);
    j["times"] = Json::array();
    for (const TaskTime& t : m.times) j["times"].push_back(json_of(t));
    return j;
}

/// A time in each line, so that people can read and compare them.
void write_machine(const std::string& file, const SimulatedMachine& m)
{
    Json j = to_json(m);
    std::string times;
    for (const Json& time : j["times"])
        times += fmt::format("{}\n    {}", times.empty() ? "" : ",", time.dump());
    j.erase("times");
    std::string text = j.dump(2, ' ', false, Json::error_handler_t::replace);
    text.erase(text.rfind('\n'));
    text += fmt::format(",\n  \"times\": [{}\n  ]\n}}\n", times);
    write_whole(file, text);
}

std::string file_of_this_machine()
{
    const std::string folder = kept_folder();
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    return folder.empty() ? "" : fmt::format("{}/machine_{}.json", folder, host);
}

SimulatedMachine machine_of(const std::string& option)
{
    if (option != "this") return read_machine(option);
    const std::string file = file_of_this_machine();
    if (file.empty() || !fs::exists(file))
        throw Error("--machine this: nothing is known of this machine; qcd_starpu calibrate "
                    "measures it");
    return read_machine(file);
}

} // namespace qcd
