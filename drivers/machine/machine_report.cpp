#include "drivers/machine/machine_report.hpp"

#include "base/text.hpp"
#include "program/lines.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace qcd
{

namespace
{

std::string size_text(long bytes)
{
    if (bytes >= 10L << 30) return fmt::format("{} GiB", bytes >> 30);
    if (bytes >= 1L << 20) return fmt::format("{} MiB", bytes >> 20);
    return fmt::format("{} KiB", bytes >> 10);
}

} // namespace

void print_text(std::ostream& out, const MachineFacts& m)
{
    Lines lines(out);
    lines.add("processor", "{}; this process may use {}{}{}", m.cpu_model, counted(m.cores, "core"),
              m.threads > m.cores ? fmt::format(", {} hardware threads", m.threads) : "",
              m.numa_nodes > 1 ? fmt::format(", {} NUMA nodes", m.numa_nodes) : "");
    if (m.cpu_quota > 0) lines.add("", "its cgroup may have the time of {:.3g} cores", m.cpu_quota);
    for (const CacheLevel& c : m.caches)
        lines.add(c.level == m.caches.front().level ? "caches" : "", "L{}: {} x {}{}", c.level,
                  c.instances, size_text(c.bytes),
                  c.cores > 1 ? fmt::format(", each shared by {} cores", c.cores) : "");
    lines.add("memory", "{}, {} available{}", size_text(m.memory_bytes),
              size_text(m.available_bytes),
              m.memory_limit.empty() ? "" : fmt::format(" ({})", m.memory_limit));
}

void print_text(std::ostream& out, const std::vector<MemoryBandwidth>& all)
{
    out << "  memory bandwidth, GB/s (10^9 bytes; median)\n"
           "    threads   triad a = b + s c, 24 bytes   read sum of a, 8 bytes   arrays      "
           "load\n";
    for (const MemoryBandwidth& b : all)
        out << fmt::format("    {:>7}{:>30}{:>25}   {:<9}{:>7.2f}\n", b.threads, figure(b.triad),
                           figure(b.read), size_text(b.array_bytes), b.load_average);
}

void print_text(std::ostream& out, const std::vector<PeakArithmetic>& peaks)
{
    out << "  peak of the arithmetic, GFLOPS (10^9 flop a second; a loop of fma, 2 flop each; the "
           "fastest of 5 calls)\n";
    for (const PeakArithmetic& p : peaks) {
        const std::string cores =
            p.cores_per_worker > 1 ? fmt::format(" of {} cores", p.cores_per_worker) : "";
        const std::string name =
            fmt::format("{} {} worker{}{}", p.workers, p.worker, p.workers == 1 ? "" : "s", cores);
        out << fmt::format("    {:<32}{:>8} in double, {} in single\n", name, figure(p.in_double),
                           figure(p.in_single));
    }
}

nlohmann::ordered_json to_json(const MachineFacts& m)
{
    auto caches = nlohmann::ordered_json::array();
    for (const CacheLevel& c : m.caches)
        caches.push_back({{"level", c.level},
                          {"bytes", c.bytes},
                          {"instances", c.instances},
                          {"cores", c.cores}});
    return {{"cpu", m.cpu_model},
            {"cores", m.cores},
            {"threads", m.threads},
            {"numa_nodes", m.numa_nodes},
            {"caches", caches},
            {"memory_bytes", m.memory_bytes},
            {"available_bytes", m.available_bytes}};
}

nlohmann::ordered_json to_json(const MemoryBandwidth& b)
{
    return {{"threads", b.threads},
            {"triad", b.triad},
            {"read", b.read},
            {"array_bytes", b.array_bytes},
            {"load_average", b.load_average}};
}

nlohmann::ordered_json to_json(const std::vector<PeakArithmetic>& peaks)
{
    auto all = nlohmann::ordered_json::array();
    for (const PeakArithmetic& p : peaks)
        all.push_back({{"worker", p.worker},
                       {"workers", p.workers},
                       {"cores_per_worker", p.cores_per_worker},
                       {"double", p.in_double},
                       {"single", p.in_single}});
    return all;
}

nlohmann::ordered_json to_json(const WorkerCounts& w)
{
    return {
        {"cpu", w.cpu}, {"cuda", w.cuda}, {"opencl", w.opencl}, {"cores_per_cpu", w.cores_per_cpu}};
}

} // namespace qcd
