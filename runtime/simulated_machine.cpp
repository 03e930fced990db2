#include "runtime/simulated_machine.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <functional>

namespace fs = std::filesystem;

namespace qcd
{

namespace
{

/// Memories in StarPU's order: the host's, those of CUDA's devices, those of OpenCL's.
struct Memory {
    std::string name;                ///< of the host of SimGrid's that has it
    const SimulatedDevices* devices; ///< null: the host's
};

std::vector<Memory> memories_of(const SimulatedMachine& m)
{
    std::vector<Memory> all{{"RAM", nullptr}};
    for (int i = 0; i < m.cuda.count; ++i) all.push_back({fmt::format("CUDA{}", i), &m.cuda});
    for (int i = 0; i < m.opencl.count; ++i) all.push_back({fmt::format("OpenCL{}", i), &m.opencl});
    return all;
}

/// Two in turn, as the data go.
Bus one_after_another(const Bus& a, const Bus& b)
{
    return {1 / (1 / a.bytes_per_s + 1 / b.bytes_per_s), a.latency + b.latency};
}

bool is_direct(const Memory& from, const Memory& to)
{
    return !from.devices || !to.devices ||
           (from.devices == to.devices && from.devices->between.bytes_per_s > 0);
}

/// The way that data take.
Bus bus_between(const Memory& from, const Memory& to)
{
    if (!from.devices) return to.devices->to;
    if (!to.devices) return from.devices->from;
    if (is_direct(from, to)) return from.devices->between;
    return one_after_another(from.devices->from, to.devices->to);
}

void write(const fs::path& file, const std::string& text)
{
    std::ofstream out(file);
    if (!(out << text) || !out.flush()) throw Error("{}: cannot be written", file.string());
}

/// A matrix as StarPU keeps it: a line for each memory that data come from.
std::string matrix(const std::vector<Memory>& memories,
                   const std::function<double(const Bus&)>& value)
{
    std::string text = "# simulated\n";
    for (const Memory& from : memories) {
        for (const Memory& to : memories)
            text += fmt::format("{}{:e}", &to == memories.data() ? "" : "\t",
                                &from == &to ? 0.0 : value(bus_between(from, to)));
        text += '\n';
    }
    return text;
}

/// All names begin with `of`.
std::string hosts(const std::string& of, const std::vector<Memory>& memories, int cores)
{
    // Times of tasks come from models: StarPU multiplies by the speed, SimGrid divides.
    std::string text;
    for (const char* name : {"MAIN", "RAM"})
        text += fmt::format("  <host id=\"{}{}\" speed=\"1f\"/>\n", of, name);
    for (int i = 0; i < cores; ++i)
        text += fmt::format("  <host id=\"{}CPU{}\" speed=\"2000000000f\"/>\n", of, i);
    for (const Memory& m : memories)
        if (m.devices)
            text += fmt::format("  <host id=\"{}{}\" speed=\"2000000000f\">\n"
                                "   <prop id=\"model\" value=\"simulated\"/>\n"
                                "   <prop id=\"memsize\" value=\"{}\"/>\n"
                                "{}  </host>\n",
                                of, m.name, m.devices->memory_bytes,
                                m.devices->between.bytes_per_s > 0
                                    ? "   <prop id=\"memcpy_peer\" value=\"1\"/>\n"
                                    : "");
    return text;
}

/// Links between any two memories, and the routes over them.
std::string network(const std::string& of, const std::vector<Memory>& memories)
{
    std::string links, routes;
    for (const Memory& from : memories)
        for (const Memory& to : memories) {
            if (&from == &to || !is_direct(from, to)) continue;
            const Bus bus = bus_between(from, to);
            const std::string name = fmt::format("{}{}-{}", of, from.name, to.name);
            links +=
                fmt::format("  <link id=\"{}\" bandwidth=\"{:.0f}Bps\" latency=\"{:.9f}s\"/>\n",
                            name, bus.bytes_per_s, bus.latency);
            routes += fmt::format("  <route src=\"{0}{1}\" dst=\"{0}{2}\" symmetrical=\"NO\">"
                                  "<link_ctn id=\"{3}\"/></route>\n",
                                  of, from.name, to.name, name);
        }
    return links + routes;
}

std::string zone(const SimulatedMachine& m, const std::vector<Memory>& memories,
                 const std::string& name, const std::string& of)
{
    return fmt::format(" <zone id=\"{}\" routing=\"Full\">\n{}{} </zone>\n", name,
                       hosts(of, memories, m.cores), network(of, memories));
}

std::string platform(const std::string& zones)
{
    return "<?xml version='1.0'?>\n"
           "<!DOCTYPE platform SYSTEM 'http://simgrid.gforge.inria.fr/simgrid/simgrid.dtd'>\n"
           "<platform version=\"4.1\">\n"
           " <config>\n"
           "  <prop id=\"network/TCP-gamma\" value=\"-1\"></prop>\n"
           "  <prop id=\"network/latency-factor\" value=\"1\"></prop>\n"
           "  <prop id=\"network/bandwidth-factor\" value=\"1\"></prop>\n"
           "  <prop id=\"network/crosstraffic\" value=\"0\"></prop>\n"
           "  <prop id=\"network/weight-S\" value=\"0.0\"></prop>\n"
           " </config>\n" +
           zones + "</platform>\n";
}

/// A node is a host of the network, from which its messages go, and the zone that StarPU looks for
/// by the rank's number: its processors and memories.
void write_nodes(const SimulatedMachine& m, const std::vector<Memory>& memories,
                 const fs::path& folder)
{
    std::string zones = fmt::format(
        " <zone id=\"all\" routing=\"None\">\n"
        " <cluster id=\"network\" prefix=\"node\" suffix=\"\" radical=\"0-{}\" speed=\"1Gf\" "
        "bw=\"{:.0f}Bps\" lat=\"{:.9f}s\"/>\n",
        m.nodes - 1, m.network.bytes_per_s,
        m.network.latency / 2); // a message goes over two of its links
    std::string names;
    for (int node = 0; node < m.nodes; ++node) {
        const std::string name = fmt::format("StarPU-MPI{}", node);
        zones += zone(m, memories, name, name + "-");
        names += fmt::format("node{}\n", node);
    }
    write(folder / all_nodes, platform(zones + " </zone>\n"));
    write(folder / node_hosts, names);
}

} // namespace

void write_platform(const SimulatedMachine& m, const fs::path& folder)
{
    const std::vector<Memory> memories = memories_of(m);
    const fs::path bus = folder / "bus";
    std::error_code failed;
    fs::create_directories(bus, failed);
    fs::create_directories(folder / "codelets" / "45", failed);
    const auto file = [&](const char* ending) {
        return bus / fmt::format("{}.{}", simulated_host, ending);
    };
    write(file("config"), "# simulated\n"); // by which StarPU knows that the folder has buses
    write(file("bandwidth"),
          matrix(memories, [](const Bus& b) { return 1e-6 * b.bytes_per_s; }));             // MB/s
    write(file("latency"), matrix(memories, [](const Bus& b) { return 1e6 * b.latency; })); // us
    write(file("platform.v4.xml"), platform(zone(m, memories, "machine", "")));
    if (m.nodes > 1) write_nodes(m, memories, folder);
}

} // namespace qcd
