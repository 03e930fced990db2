#include "drivers/bench/bench_report.hpp"

#include "base/text.hpp"
#include "drivers/machine/machine_report.hpp"
#include "drivers/spec/commands.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>

namespace qcd
{

namespace
{

using Json = nlohmann::ordered_json;

std::optional<double> mean(const ConfigurationReport& c, double MemoryBandwidth::*rate)
{
    if (!c.before) return std::nullopt;
    return (*c.before.*rate + c.after.value_or(*c.before).*rate) / 2;
}

/// The number where it is known, else a dash.
std::string cell(double value, bool known, int width)
{
    return fmt::format("{:>{}}", known ? figure(value) : "-", width);
}

std::string percent(double value, const std::optional<double>& whole)
{
    return cell(whole ? 100 * value / *whole : 0, whole && value > 0, 8);
}

Json json_percent(double value, const std::optional<double>& whole)
{
    return whole && value > 0 ? Json(100 * value / *whole) : Json();
}

Json json_of(const OperationRow& r, const ConfigurationReport& c)
{
    const bool counted = r.bytes > 0;
    return {{"operation", r.operation},
            {"precision", r.precision},
            {"links", r.links > 0 ? Json(r.links) : Json()},
            {"workers", to_json(c.workers)},
            {"scheduler", c.scheduler},
            {"lattice", r.lattice},
            {"tiles", r.tiles},
            {"us", 1e6 * r.seconds},
            {"plain_us", r.plain ? Json(1e6 * *r.plain) : Json()},
            {"gflops", counted ? Json(r.gflops()) : Json()},
            {"gb_per_s", counted ? Json(r.gb_per_s()) : Json()},
            {"percent_of_triad", json_percent(r.gb_per_s(), c.triad())},
            {"percent_of_read", json_percent(r.gb_per_s(), c.read())},
            {"working_set_bytes", r.bytes},
            {"load_average", c.load_average}};
}

Json json_of(const SolveRow& r, const Json& counts, const Json& ratios)
{
    Json j{{"precision", r.precision},
           {"lattice", r.lattice},
           {"tiles", r.tiles},
           {"workers", to_json(r.workers)}};
    j.update(counts);
    for (const experiment::Case& side : r.design.cases)
        j["seconds"][side.name] = r.median(side.name);
    j.update(ratios);
    j.update({{"ranking", to_json(r.design, r.ranking)}, {"load_average", r.load_average}});
    return j;
}

void print_row(std::ostream& out, const OperationRow& r, const ConfigurationReport& c)
{
    const bool counted = r.bytes > 0;
    out << fmt::format("  {:<24}{:<7}{:>5}  {:<13}{:<11}{:>9}", r.operation, r.precision,
                       r.links > 0 ? std::to_string(r.links) : "-", to_string(r.lattice),
                       to_string(r.tiles), figure(1e6 * r.seconds))
        << cell(r.plain.value_or(0) * 1e6, r.plain.has_value(), 10)
        << cell(r.gflops(), r.flop > 0, 9) << cell(r.gb_per_s(), counted, 9)
        << percent(r.gb_per_s(), c.triad()) << percent(r.gb_per_s(), c.read())
        << cell(r.bytes / 1048576, counted, 9) << '\n';
}

void print_bandwidth(std::ostream& out, const ConfigurationReport& c)
{
    if (c.before) {
        const MemoryBandwidth &before = *c.before, after = c.after.value_or(MemoryBandwidth{});
        const bool known = c.after.has_value();
        out << fmt::format("  host memory, {} thread{}: triad {} GB/s before, {} after; read "
                           "{} before, {} after\n",
                           before.threads, before.threads == 1 ? "" : "s", figure(before.triad),
                           cell(after.triad, known, 0), figure(before.read),
                           cell(after.read, known, 0));
    } else
        out << fmt::format("  memory of the device: triad {} GB/s\n",
                           cell(c.device_triad.value_or(0), c.device_triad.has_value(), 0));
}

constexpr const char* definitions =
    R"(
columns: each operation on the even sites of the lattice, as in an even-odd solve, after its result was found equal,
bit for bit, to that of the generic CPU kernel
  operation  its folder in codelets/. hopping is one hop to the even sites with the pack_faces that it needs;
             hopping_add adds a o v; hopping_norm2 also makes |out|^2, as CG needs it; hopping_sums also makes three
             sums, for which it reads u, as CR needs them; hopping_clover does so with a clover term in v;
             hopping_inverse is T^-1 times a hop to the odd sites. cr_update_but_x and cg_update_but_x are the
             updates of every second iteration. merge_sums and cg_beta work on a few numbers. pack_faces and
             merge_sums need more than one tile
  us         wall time from submission to completion of back-to-back calls, divided by their number; the median
             of {} repetitions of at least 30 ms. Where one worker has the lattice, up to 1024 calls are a task
  plain us   the time of the same kernels and tiles in plain loops of as many threads, with a barrier after each
             operation; the rest is what StarPU adds. For CPU workers
  GFLOPS     flop of the contract (hopping: 1320 a site of the even half, 504 for a clover matrix) over the time with
             StarPU
  links      reals stored per link
  GB/s       bytes of the contract (hopping: 8 links, psi once and out: 1536, 1152, 896 a site in double with links
             of 18, 12, 8 reals, half that in single) per time, 10^9
  % triad    of the memory's bandwidth in a = b + s c by as many threads, mean of before and after, on arrays of
             four times the last-level cache; on devices in y <- x + s y, on vectors of 512 MiB; either smaller where
             memory is short or QCD_BANDWIDTH_MIB says so. An operation whose data fit a cache can exceed 100
  % read     of the bandwidth of sum of a, likewise
  MiB        bytes of the contract: the working set; data are used in place, so what fits a cache stays there
)";

} // namespace

std::optional<double> ConfigurationReport::triad() const
{
    return device_triad ? device_triad : mean(*this, &MemoryBandwidth::triad);
}
std::optional<double> ConfigurationReport::read() const
{
    return mean(*this, &MemoryBandwidth::read);
}

void print_heading(std::ostream& out, const BenchReport& r)
{
    out << version_line() << ", CPU kernels for " << r.isa << '\n';
    print_text(out, r.machine);
    if (r.ranks > 1)
        out << fmt::format(
            "{} ranks, each with the workers below and its part of the lattice; us of "
            "the slowest, GFLOPS and GB/s of all\n",
            r.ranks);
    if (r.rhs > 1)
        out << fmt::format(
            "{} right-hand sides together: all figures are for each of them, links read "
            "once for all\n",
            r.rhs);
}

void print_legend(std::ostream& out, const BenchReport& r)
{
    const auto has_rows = [](const ConfigurationReport& c) { return !c.rows.empty(); };
    if (std::any_of(r.configurations.begin(), r.configurations.end(), has_rows))
        out << fmt::format(definitions, r.repeat);
}

void print_text(std::ostream& out, const ConfigurationReport& c)
{
    out << fmt::format("\nworkers: {}; scheduler {}; load average {:.2f}\n", to_string(c.workers),
                       c.scheduler, c.load_average);
    print_bandwidth(out, c);
    out << fmt::format("  {:<24}{:<7}{:>5}  {:<13}{:<11}{:>9}{:>10}{:>9}{:>9}{:>8}{:>8}{:>9}\n",
                       "operation", "prec", "links", "lattice", "tiles", "us", "plain us", "GFLOPS",
                       "GB/s", "% triad", "% read", "MiB");
    for (const OperationRow& r : c.rows) print_row(out, r, c);
}

void print_overheads(std::ostream& out, const std::vector<SolveRow>& rows)
{
    if (rows.empty()) return;
    out << "\nruntime overhead, ms of an even-odd CR of fixed length:\n";
    out << fmt::format("  {:<7}{:<13}{:<11}{:<17}{:>12}{:>8}{:>11}{:>11}{:>8}{:>7}\n", "prec",
                       "lattice", "tiles", "workers", "iterations", "tasks", "StarPU", "plain",
                       "ratio", "load");
    for (const SolveRow& r : rows)
        out << fmt::format("  {:<7}{:<13}{:<11}{:<17}{:>12}{:>8}{:>11}{:>11}{:>8.3f}{:>7.2f}\n",
                           r.precision, to_string(r.lattice), to_string(r.tiles),
                           to_string(r.workers), r.iterations, r.tasks,
                           figure(1e3 * r.median("starpu"), 4), figure(1e3 * r.median("plain"), 4),
                           r.ratio("starpu", "plain"), r.load_average);
    out << "StarPU: as tasks, from submission to completion; plain: the same kernels and tiles in "
           "plain loops of as many\nthreads as cores, with a barrier after each operation and the "
           "same bits. Links are those of a solve (12 reals\nin double, 18 in single). Medians of "
           "runs in shuffled rounds\n";
}

void print_engines(std::ostream& out, const std::vector<SolveRow>& rows)
{
    if (rows.empty()) return;
    out << "\nengines, seconds of even-odd CR in double on weak:0.2, mass -0.15, to 1e-10; medians "
           "of "
           "runs in shuffled rounds:\n";
    out << fmt::format("  {:<13}{:<11}{:<17}{:>10}{:>9}{:>9}{:>9}{:>12}{:>10}{:>12}{:>7}{:>7}\n",
                       "lattice", "tiles", "workers", "iterations", "starpu", "kernels", "openmp",
                       "sequential", "by tasks", "by kernels", "both", "load");
    for (const SolveRow& r : rows) {
        const auto seconds = [&](const char* name) { return figure(r.median(name)); };
        out << fmt::format("  {:<13}{:<11}{:<17}{:>10}{:>9}{:>9}{:>9}{:>12}{:>10.2f}{:>12.2f}"
                           "{:>7.2f}{:>7.2f}\n",
                           to_string(r.lattice), to_string(r.tiles), to_string(r.workers),
                           r.iterations, seconds("starpu"), seconds("kernels"), seconds("openmp"),
                           seconds("sequential"), r.ratio("kernels", "starpu"),
                           r.ratio("openmp", "kernels"), r.ratio("openmp", "starpu"),
                           r.load_average);
    }
    out << "  starpu      with the workers that a solve would have, links of 12 reals\n"
           "  kernels     its kernels in plain loops of as many threads, with a barrier after each "
           "operation: the same vector width\n"
           "              and links; without the even source and the odd sites\n"
           "  openmp      the plain loops of --engine openmp, with as many threads as cores: SSE2 "
           "as "
           "any x86-64 has it, links of 18\n"
           "              reals, nothing fused\n"
           "  sequential  the plain loops on one core\n"
           "  by tasks    kernels over starpu; by kernels: openmp over kernels; both: openmp over "
           "starpu\n";
}

Json to_json(const BenchReport& r)
{
    Json j{{"machine", to_json(r.machine)},
           {"isa", r.isa},
           {"ranks", r.ranks},
           {"repeat", r.repeat},
           {"rhs", r.rhs},
           {"interrupted", r.interrupted}};
    for (const char* key : {"bandwidth", "operations", "runtime_overhead", "engines", "grain"})
        j[key] = Json::array();
    for (const ConfigurationReport& c : r.configurations) {
        j["bandwidth"].push_back(
            {{"workers", to_json(c.workers)},
             {"before", c.before ? to_json(*c.before) : Json()},
             {"after", c.after ? to_json(*c.after) : Json()},
             {"device_triad", c.device_triad ? Json(*c.device_triad) : Json()}});
        for (const OperationRow& row : c.rows) j["operations"].push_back(json_of(row, c));
    }
    for (const SolveRow& row : r.overheads)
        j["runtime_overhead"].push_back(
            json_of(row, {{"iterations", row.iterations}, {"tasks", row.tasks}},
                    {{"ratio", row.ratio("starpu", "plain")}}));
    for (const SolveRow& row : r.engines)
        j["engines"].push_back(json_of(
            row, {{"iterations", {{"starpu", row.iterations}, {"openmp", row.plain_iterations}}}},
            {{"speedup",
              {{"over_kernels", row.ratio("kernels", "starpu")},
               {"over_openmp", row.ratio("openmp", "starpu")},
               {"over_sequential", row.ratio("sequential", "starpu")}}}}));
    for (const GrainReport& grain : r.grains) j["grain"].push_back(to_json(grain));
    return j;
}

} // namespace qcd
