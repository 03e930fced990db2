#include "drivers/run/run_report.hpp"

#include "base/atomic_file.hpp"
#include "base/text.hpp"
#include "drivers/machine/machine_report.hpp"
#include "drivers/run/verification.hpp"
#include "drivers/spec/commands.hpp"
#include "program/lines.hpp"
#include "runtime/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

namespace qcd
{

void RunReport::add_unsaved(const std::string& line)
{
    if (!line.empty()) unsaved += (unsaved.empty() ? "" : "; ") + line;
}

long RunReport::triad_bytes() const
{
    const long sites = volume(problem.lattice) / (even_odd ? 2 : 1);
    const long reals = 24 * sites * long(std::max<std::size_t>(1, rhs.size()));
    return 2 * reals * (problem.precision == "double" ? 8 : 4) /
           long(std::max<std::size_t>(1, peak_bytes.size()));
}

std::string SplitReport::decision() const
{
    std::string text = fmt::format("{:.1f}% of the sites on devices{}{}", 100 * device_share,
                                   reason.empty() ? "" : ": ", reason);
    if (budget > 0)
        text += fmt::format("; measured for {} s, of at most {} s for a solve of about {} s",
                            figure(seconds), figure(budget), figure(predicted));
    return text;
}

double flops_a_site(const RunReport& r)
{
    constexpr double hop = 1320, clover = 504;
    if (r.problem.csw == 0) return hop;
    // T on the even sites or all, T^-1 on the odd ones, with a twist by two matrices
    return hop + clover * (r.even_odd && r.problem.mubar != 0 ? 1.5 : 1);
}

std::string quark(const ProblemReport& p)
{
    return fmt::format("kappa {:.10g}, mass {:.10g}{}{}", p.kappa, p.mass,
                       p.mubar == 0 ? "" : fmt::format(", mubar {:.10g}", p.mubar),
                       p.csw == 0 ? "" : fmt::format(", csw {:.10g}", p.csw));
}

namespace
{

/// How long what moved takes one bus between host and device.
std::string bus_time(const RunReport& r)
{
    if (r.bus_gb_per_s <= 0) return "";
    return fmt::format(", at {} GB/s of the bus {} s", figure(r.bus_gb_per_s),
                       figure(double(r.bytes_moved) / 1e9 / r.bus_gb_per_s));
}

} // namespace

std::string tasks_and_transfers(const RunReport& r)
{
    if (r.bytes_moved == 0) return std::to_string(r.tasks);
    return fmt::format("{}; {} MB moved between memories{}", r.tasks,
                       figure(double(r.bytes_moved) / 1e6), bus_time(r));
}

namespace
{

using Json = nlohmann::ordered_json;

const char* boundary(const ProblemReport& p)
{
    return p.antiperiodic ? "antiperiodic" : "periodic";
}

Json json_of(const std::complex<double>& z) { return {z.real(), z.imag()}; }

Json json_of(const ProblemReport& p)
{
    const GaugeObservables& g = p.observables;
    return {{"lattice", p.lattice},
            {"boundary", boundary(p)},
            {"theta", p.theta},
            {"kappa", p.kappa},
            {"mass", p.mass},
            {"mubar", p.mubar},
            {"csw", p.csw},
            {"gauge",
             {{"source", p.gauge},
              {"plaquette",
               {{"total", g.plaquette_total},
                {"spatial", g.plaquette_spatial},
                {"temporal", g.plaquette_temporal}}},
              {"link_trace", g.link_trace}}}};
}

/// What was not measured is 0 here and null in JSON.
Json or_nothing(const std::string& text) { return text.empty() ? Json() : Json(text); }
Json or_nothing(const std::optional<BoundaryPhases>& phases)
{
    return phases ? Json(to_string(*phases)) : Json();
}
Json or_null(double measured) { return measured > 0 ? Json(measured) : Json(); }

/// Both parts to the last of `digits` after the point that |z| has: a part that is only rounding
/// is 0.
std::string complex_text(const std::complex<double>& z, int digits)
{
    if (!std::isfinite(std::abs(z)) || std::abs(z) == 0)
        return fmt::format("{:g} {:+g} i", z.real(), z.imag());
    const auto part = [&](double value, const char* sign) {
        const double last = std::abs(z) * std::pow(10, -digits);
        if (std::abs(value) < last) return std::string(sign) + "0";
        const int fewer =
            int(std::floor(std::log10(std::abs(z)))) - int(std::floor(std::log10(std::abs(value))));
        const std::string text = fmt::format("{:.{}e}", value, std::max(0, digits - fewer));
        return (value > 0 ? sign : "") + text;
    };
    return fmt::format("{} {} i", part(z.real(), ""), part(z.imag(), "+"));
}

/// Products of fields may be no numbers, also where these are but for their size.
std::string product_text(const std::complex<double>& product, const std::string& value)
{
    return std::isnan(product.real() + product.imag()) ? "no number that a double holds" : value;
}

void print_problem(Lines& lines, const ProblemReport& p)
{
    const GaugeObservables& g = p.observables;
    lines.add("lattice", "{} = {} sites, {} in t{}", to_string(p.lattice), volume(p.lattice),
              boundary(p),
              is_twisted(p.theta) ? fmt::format(", theta {} pi", fmt::join(p.theta, ",")) : "");
    lines.add("gauge field", "{}", p.gauge);
    lines.add("plaquette", "{:.8f} (spatial {:.8f}, temporal {:.8f}; 1 for unit links)",
              g.plaquette_total, g.plaquette_spatial, g.plaquette_temporal);
    lines.add("link trace", "{:.8f} (Re tr U / 3)", g.link_trace);
    lines.add("quark", "{}", quark(p));
    lines.add("source", "{}", p.source);
}

void print_split(Lines& lines, const SplitReport& s)
{
    lines.add("split", "{}", s.decision());
    if (s.cores > 0)
        lines.add("", "devices alone {}, cores alone {} Msites/s; this solve {}: {}bound {:.3f}",
                  figure(s.devices), figure(s.cores), figure(s.solve),
                  s.gain() > 0 ? fmt::format("gain {:.3f}, ", s.gain()) : "", s.bound());
}

Json json_of(const SplitReport& s)
{
    return {{"asked", s.asked ? Json(*s.asked) : Json("auto")},
            {"device_share", s.device_share},
            {"msites_per_s",
             {{"devices", or_null(s.devices)},
              {"cores", or_null(s.cores)},
              {"solve", or_null(s.solve)}}},
            {"gain", or_null(s.gain())},
            {"bound", or_null(s.bound())},
            {"seconds", s.seconds},
            {"budget_seconds", or_null(s.budget)},
            {"predicted_seconds", or_null(s.predicted)},
            {"reason", s.reason.empty() ? Json() : Json(s.reason)}};
}

Json json_of(const StencilReport& s, double gflops)
{
    Json kernel;
    if (s.facts)
        kernel = {{"registers", s.facts->registers},
                  {"memory_bytes", s.facts->memory_bytes},
                  {"local_bytes", s.facts->local_bytes},
                  {"groups", s.facts->groups},
                  {"occupancy", s.facts->occupancy}};
    return {{"version", s.version},
            {"multiple", s.multiple > 0 ? Json(s.multiple) : Json()},
            {"flops_a_site", s.flops_a_site},
            {"gflops", gflops * s.flops_a_site / 1320},
            {"kernel", kernel}};
}

/// The schedules that iterations had, and how many had none.
Json json_of(const Schedules& schedules)
{
    Json all = Json::array();
    for (const Schedules::Entry* e : schedules.known())
        all.push_back({{"iteration", e->fingerprint},
                       {"operations", e->period.operations.size()},
                       {"seconds", or_null(e->schedule.seconds)},
                       {"shortest_seconds", or_null(e->shortest)},
                       {"longest_seconds", or_null(e->longest)},
                       {"replayed", e->replayed},
                       {"copies", e->copies},
                       {"copied_bytes", e->copied_bytes}});
    return all;
}

Json json_of(const RunPlan& p)
{
    return {{"name", to_string(p.kind)},
            {"workers", to_json(p.workers)},
            {"ranks", p.rank_grid},
            {"tiles", p.tiles()},
            {"owners", p.owners.empty() ? Json() : Json(p.owners)},
            {"iterations_per_task", p.collects() ? Json(p.iterations) : Json()},
            {"exchange", p.exchange()},
            {"scheduler", p.scheduler},
            {"schedules", p.schedules ? json_of(*p.schedules) : Json()},
            {"text", to_string(p)},
            {"why", p.why.empty() ? Json() : Json(p.why)}};
}

void print_stencil(Lines& lines, const StencilReport& s)
{
    lines.add("ladder", "version {} of the ladder of 2013{}; {:.0f} flop a site", s.version,
              s.multiple > 0 ? fmt::format(", {} sites a work group", s.multiple) : "",
              s.flops_a_site);
    if (s.facts)
        lines.add("",
                  "its kernel: {} registers and {} bytes of memory a thread, {} bytes of shared "
                  "memory a group; {} groups a multiprocessor, {:.0f}% of its threads",
                  s.facts->registers, s.facts->memory_bytes, s.facts->local_bytes, s.facts->groups,
                  100 * s.facts->occupancy);
}

Json json_of(const CheckpointReport& c)
{
    const bool by_time = c.every_iterations == 0;
    return {{"file", c.file},
            {"every_iterations", by_time ? Json() : Json(c.every_iterations)},
            {"every_seconds", by_time ? Json(c.every_seconds) : Json()},
            {"written", c.written},
            {"failed", c.failed},
            {"iteration", c.written > 0 ? Json(c.iteration) : Json()},
            {"bytes", c.written > 0 ? Json(c.bytes) : Json()},
            {"seconds", c.seconds}};
}

void print_checkpoint(Lines& lines, const CheckpointReport& c)
{
    const std::string failed = c.failed > 0 ? fmt::format(", {} not written", c.failed) : "";
    const std::string last = c.written > 0 ? fmt::format(", the last at iteration {}, {} MB",
                                                         c.iteration, figure(double(c.bytes) / 1e6))
                                           : "";
    if (c.written == 0 && c.failed == 0)
        return lines.add("checkpoints", "none was due before the solve ended ({})", c.file);
    lines.add("checkpoints", "{} in {}{}{}; the solve stood still for {} s", c.written, c.file,
              last, failed, figure(c.seconds));
}

/// What the method is applied to.
std::string operator_of(const RunReport& r)
{
    const std::string d = r.even_odd ? "Dhat" : "D";
    return r.solver == "cr" ? "gamma5 " + d : r.solver == "cg" ? d + "^dagger " + d : d;
}

/// Why the solver ended.
const char* ending_of(const RunReport& r)
{
    return r.interrupted        ? "interrupted"
           : r.breakdown        ? "broken down"
           : r.converged        ? "converged"
           : r.fixed_iterations ? "as many iterations as asked for"
                                : "not converged";
}

void print_sloppy(Lines& lines, const SloppyReport& s, int iterations)
{
    std::string updates;
    for (const ReliableUpdate& u : s.updates)
        updates +=
            fmt::format("{}{} ({:.1e})", updates.empty() ? "" : ", ", u.iteration, u.residual);
    lines.add("", "{} precision; |b - A x|/|b| in double after {}", s.precision, updates);
    const int in_double = s.double_iterations.value_or(0);
    if (s.single_iterations)
        lines.add("", "single precision went on after {}: {} had no more to give",
                  iterations - in_double - *s.single_iterations, s.precision);
    if (s.double_iterations)
        lines.add("", "double precision went on after {}: {} had no more to give",
                  iterations - in_double, s.single_iterations ? "single" : s.precision);
}

Json json_of(const SloppyReport& s)
{
    Json updates = Json::array();
    for (const ReliableUpdate& u : s.updates)
        updates.push_back({{"iteration", u.iteration}, {"residual", or_null(u.residual)}});
    return {{"precision", s.precision},
            {"drop", s.drop},
            {"updates", updates},
            {"single_iterations", s.single_iterations ? Json(*s.single_iterations) : Json()},
            {"double_iterations", s.double_iterations ? Json(*s.double_iterations) : Json()}};
}

void print_preconditioner(Lines& lines, const PreconditionerReport& p)
{
    const std::string iterations = counted(p.iterations, "iteration");
    lines.add(
        "", "preconditioner: {}, {} precision{}; {} of the applications",
        p.multigrid ? fmt::format("a cycle of {} with {} of its smoother", p.method, iterations)
                    : fmt::format("{} of {}", iterations, p.method),
        p.precision, p.domain ? ", in domains of " + to_string(*p.domain) : "", p.applications);
    if (!p.multigrid) return;
    for (const MultigridReport::OfLevel& level : p.multigrid->levels) {
        lines.add("", "level of {}: {} components a site, {}; {:.1f} MiB", to_string(level.lattice),
                  level.components,
                  level.blocks ? "blocks of " + to_string(*level.blocks) : "the coarsest",
                  double(level.bytes) / (1 << 20));
        if (const auto& w = level.work)
            lines.add("", "  {} of gcr, each multiplies |r| by {}; {:.0f}% of a cycle's time",
                      counted(w->iterations, "iteration"), figure(w->factor, 2), 100 * w->share);
    }
    lines.add("", "set-up of these levels: {} s{}", figure(p.multigrid->seconds),
              p.multigrid->first_iterations > 0
                  ? ""
                  : fmt::format(", from the vectors of --mg-load, {}",
                                counted(p.multigrid->refinements, "refinement")));
}

Json json_of(const MultigridReport& m)
{
    Json levels = Json::array();
    for (const MultigridReport::OfLevel& level : m.levels)
        levels.push_back({{"lattice", level.lattice},
                          {"components", level.components},
                          {"blocks", level.blocks ? Json(*level.blocks) : Json()},
                          {"bytes", level.bytes},
                          {"work", level.work ? Json{{"iterations", level.work->iterations},
                                                     {"factor", level.work->factor},
                                                     {"share", level.work->share}}
                                              : Json()}});
    return {{"levels", levels},
            {"vectors", m.vectors},
            {"first_iterations", m.first_iterations},
            {"refinements", m.refinements},
            {"cycle_iterations", m.cycle_iterations},
            {"coarse_iterations", m.coarse_iterations},
            {"coarse_tolerance", m.coarse_tolerance},
            {"seconds", m.seconds}};
}

Json json_of(const PreconditionerReport& p)
{
    return {{"method", p.method},
            {"iterations", p.iterations},
            {"precision", p.precision},
            {"domain", p.domain ? Json(*p.domain) : Json()},
            {"applications", p.applications},
            {"multigrid", p.multigrid ? json_of(*p.multigrid) : Json()},
            {"bicgstab_iterations", p.bicgstab_iterations ? Json(*p.bicgstab_iterations) : Json()}};
}

std::string way_to_fewer_tasks(const RunReport& r)
{
    const bool tiles = volume(r.plan->tiles()) > 1 && !r.split;
    const bool batch = !r.plan->collects() && r.workers.all() == 1;
    if (!tiles && !batch) return "";
    return fmt::format(": StarPU has less to do with {}{}{}", tiles ? "fewer --tiles" : "",
                       tiles && batch ? " or " : "", batch ? "--plan batch" : "");
}

void print_times(Lines& lines, const RunReport& r)
{
    lines.add("time", "set-up {} s, {}solve {} s, verification {} s", figure(r.seconds.setup),
              r.seconds.transfer > 0 ? fmt::format("transfers {} s, ", figure(r.seconds.transfer))
                                     : "",
              figure(r.seconds.solve, 4), figure(r.seconds.verify));
    if (r.repeats.size() > 1) {
        const auto [shortest, longest] = std::minmax_element(r.repeats.begin(), r.repeats.end());
        lines.add("solves", "{}: shortest {} s, median {} s, longest {} s", r.repeats.size(),
                  figure(*shortest, 4), figure(r.seconds.solve, 4), figure(*longest, 4));
    }
    lines.add("speed", "{} GFLOPS in the solve (1320 flop per site of a hopping term{})",
              figure(r.gflops),
              r.problem.csw == 0 ? ""
                                 : fmt::format(", {} of the clover term", flops_a_site(r) - 1320));
    if (r.plan) lines.add("tasks", "{}", tasks_and_transfers(r));
    if (r.plan && r.plan->schedules)
        for (const char* label = "schedules";
             const std::string& line : in_words(*r.plan->schedules))
            lines.add(std::exchange(label, ""), "{}", line);
    for (const EnergyUsed& e : r.energy)
        lines.add(&e == &r.energy.front() ? "energy" : "", "{:.4g} J of {} in a solve", e.joules,
                  e.meter);
    constexpr double short_us = 100; // of which StarPU takes 3 to 6 on a core, 8 to 15 on a GPU
    const double us = r.tasks ? 1e6 * r.seconds.solve * r.workers.all() / double(r.tasks) : 0;
    if (r.plan && us > 0 && us < short_us)
        lines.add("", "these are short, {:.0f} us of a worker each{}", us, way_to_fewer_tasks(r));
}

const char* name_of(Transport t)
{
    constexpr const char* words[] = {"staged", "shared", "gpu-to-gpu", "cuda-aware"};
    return words[int(t)];
}

/// Memory of ranks, each of which should have its share alone.
void print_peak(Lines& lines, const RunReport& r)
{
    if (r.peak_bytes.size() < 2) return;
    const auto [least, most] = std::minmax_element(r.peak_bytes.begin(), r.peak_bytes.end());
    lines.add("memory", "{:.1f} to {:.1f} MiB at most of each of {} ranks",
              double(*least) / 1048576.0, double(*most) / 1048576.0, r.peak_bytes.size());
    constexpr const char* ways[] = {"through the hosts' memory (MPI is not CUDA-aware)",
                                    "faces are in memory of the host that both see",
                                    "faces are written into the memory of the other rank's GPU",
                                    "from and to the memories of GPUs"};
    if (r.transport)
        lines.add("messages", "between ranks, {}: {}", name_of(*r.transport),
                  ways[int(*r.transport)]);
}

std::string or_none(double value) { return value > 0 ? fmt::format("{:.1f}", value) : "-"; }

void print_kernels(std::ostream& out, const RunReport& r)
{
    if (r.kernels.empty()) return;
    out << fmt::format("  {:<28}{:<7}{:>8}{:>11}{:>10}{:>10}{:>9}\n", "kernel", "worker", "calls",
                       "mean us", "GFLOPS", "GB/s", "% triad");
    for (const KernelRate& k : r.kernels)
        out << fmt::format("  {:<28}{:<7}{:>8}{:>11.1f}{:>10}{:>10.1f}{:>9}\n", k.name, k.worker,
                           k.count, k.mean_us, or_none(k.gflops), k.gb_per_s,
                           or_none(k.percent_of_triad));
    if (r.triad_gb_per_s > 0)
        out << fmt::format("  triad{}: {} GB/s, y <- x + beta y on this lattice, all workers\n",
                           r.triad_in_cache() ? " in cache" : "", figure(r.triad_gb_per_s));
    if (r.triad_gb_per_s > 0 && r.triad_in_cache())
        out << fmt::format(
            "    its two vectors have {:.1f} MiB, the workers' caches {:.1f}: that is "
            "no bandwidth of memory, which bench measures\n",
            double(r.triad_bytes()) / 1048576.0, double(r.cache_bytes) / 1048576.0);
    if (!r.peaks.empty()) print_text(out, r.peaks);
}

Json json_of(const RunReport::Residual& r)
{
    return {{"requested", or_null(r.requested)},
            {"iterated", r.iterated},
            {"true", r.recomputed},
            {"heavy_quark", r.heavy_quark}};
}

/// Each of several right-hand sides; null where there is one.
Json json_of_rhs(const RunReport& r)
{
    if (r.rhs.empty()) return {};
    Json all = Json::array();
    for (const RunReport& one : r.rhs)
        all.push_back({{"source", one.problem.source},
                       {"iterations", one.iterations},
                       {"cg_iterations", one.cg_iterations ? Json(*one.cg_iterations) : Json()},
                       {"operator_applications", one.operator_applications},
                       {"ending", ending_of(one)},
                       {"residual", json_of(one.residual)},
                       {"converged", one.converged},
                       {"verified", one.verification == Verification::passed},
                       {"residual_history", one.residual_history},
                       {"solution",
                        {{"norm2", one.solution.norm2},
                         {"source_dot", json_of(one.solution.source_dot)},
                         {"digest", one.solution.digest}}}});
    return all;
}

void print_rhs(std::ostream& out, const RunReport& r)
{
    if (r.rhs.empty()) return;
    out << fmt::format("right-hand sides: |b - D x|/|b| recomputed in double\n"
                       "  {:<24}  {:>10}  {:>10}  {:>16}\n",
                       "source", "iterations", "residual", "digest of x");
    for (const RunReport& one : r.rhs)
        out << fmt::format("  {:<24}  {:>10}  {:>10.3e}  {}{}\n", one.problem.source,
                           one.iterations, one.residual.recomputed, one.solution.digest,
                           one.converged || one.fixed_iterations ? "" : "  not converged");
}

} // namespace

Json to_json(const RunReport& r)
{
    Json j = json_of(r.problem);
    j["asked"] = r.asked;
    j["source"] = r.problem.source;
    j["source_phases"] = or_nothing(r.problem.source_phases);
    j["guess"] = or_nothing(r.guess);
    j["guess_phases"] = or_nothing(r.guess_phases);
    j["resumed"] =
        r.resumed ? Json{{"file", r.resumed->file}, {"iteration", r.resumed->iteration}} : Json();
    j["checkpoint"] = r.checkpoint ? json_of(*r.checkpoint) : Json();
    j["command"] = r.command;
    j["plan"] = r.plan ? json_of(*r.plan) : Json();
    j["engine"] = r.engine;
    j["solver"] = r.solver;
    j["operator"] = operator_of(r);
    j["even_odd"] = r.even_odd;
    j["stencil"] = r.stencil ? json_of(*r.stencil, r.gflops) : Json();
    j["precision"] = r.problem.precision;
    j["links"] = r.links;
    j["tiles"] = r.plan ? Json(r.plan->tiles()) : Json();
    j["split"] = r.split ? json_of(*r.split) : Json();
    j["batch"] = r.plan ? r.plan->iterations : 1;
    j["scheduler"] = r.plan ? Json(r.plan->scheduler) : Json();
    j["workers"] = to_json(r.workers);
    j["iterations"] = r.iterations;
    j["cg_iterations"] = r.cg_iterations ? Json(*r.cg_iterations) : Json();
    j["sloppy"] = r.sloppy ? json_of(*r.sloppy) : Json();
    j["restart"] = r.restart ? Json(*r.restart) : Json();
    j["preconditioner"] = r.preconditioner ? json_of(*r.preconditioner) : Json();
    j["operator_applications"] = r.operator_applications;
    j["ending"] = ending_of(r);
    j["residual"] = json_of(r.residual);
    j["converged"] = r.converged;
    j["verified"] = r.verification == Verification::passed;
    j["residual_history"] = r.residual_history;
    j["solution"] = {{"norm2", r.solution.norm2},
                     {"source_dot", json_of(r.solution.source_dot)},
                     {"digest", r.solution.digest},
                     {"file", or_nothing(r.solution.file)},
                     {"phases", or_nothing(r.solution.phases)}};
    j["rhs"] = json_of_rhs(r);
    j["seconds"] = {{"setup", r.seconds.setup},
                    {"transfer", r.seconds.transfer},
                    {"solve", r.seconds.solve},
                    {"verify", r.seconds.verify}};
    j["solves"] = r.repeats;
    j["gflops"] = r.gflops;
    j["tasks"] = r.tasks;
    j["bytes_moved"] = r.bytes_moved;
    j["bus_gb_per_s"] = or_null(r.bus_gb_per_s);
    j["peak_bytes"] = r.peak_bytes;
    j["messages"] = r.transport ? Json(name_of(*r.transport)) : Json();
    j["load_average"] = r.load_average;
    j["energy"] = Json::array();
    for (const EnergyUsed& e : r.energy)
        j["energy"].push_back({{"meter", e.meter}, {"joules", e.joules}});
    j["triad_gb_per_s"] = or_null(r.triad_gb_per_s);
    j["triad_in_cache"] = r.triad_gb_per_s > 0 ? Json(r.triad_in_cache()) : Json();
    j["peaks"] = to_json(r.peaks);
    j["kernels"] = Json::array();
    for (const KernelRate& k : r.kernels)
        j["kernels"].push_back({{"name", k.name},
                                {"worker", k.worker},
                                {"count", k.count},
                                {"mean_us", k.mean_us},
                                {"gflops", k.gflops},
                                {"gb_per_s", k.gb_per_s},
                                {"percent_of_triad", or_null(k.percent_of_triad)}});
    return j;
}

Json to_json(const ApplyReport& r)
{
    Json j = json_of(r.problem);
    j["source"] = r.problem.source;
    j["source_phases"] = or_nothing(r.problem.source_phases);
    j["precision"] = r.problem.precision;
    j["links"] = r.links;
    const OperatorNorms& n = r.norms;
    j["norm2_psi"] = n.norm2_psi;
    j["norm2_Hpsi"] = n.norm2_Hpsi;
    j["norm2_Dpsi"] = n.norm2_Dpsi;
    j["psi_D_psi"] = json_of(n.psi_D_psi);
    j["psi_g5D_psi"] = json_of(n.psi_g5D_psi);
    j["norm2_DdagDpsi"] = n.norm2_DdagDpsi;
    j["norm2_psi_even"] = n.norm2_psi_even;
    j["norm2_Dhat_even_psi"] = n.norm2_Dhat_even_psi;
    return j;
}

void print_plan(std::ostream& out, const RunPlan& plan, const std::string& command)
{
    Lines lines(out);
    lines.add("plan", "{}", to_string(plan));
    if (!plan.why.empty()) lines.add("", "{}", plan.why);
    lines.add("command", "{}", command);
}

std::string outcome(const RunReport& r)
{
    const std::string ending =
        std::string(ending_of(r)) +
        (!r.breakdown ? ""
         : r.solver == "cg"
             ? ": a divisor of the method became zero, negative or no number"
             : ": a divisor of the method became zero, negative or no number (--solver cg, on "
               "D^dagger D, has none that can)");
    if (r.verification == Verification::passed) return ending + ", verified";
    if (r.verification == Verification::nothing)
        return ending + (r.residual.recomputed >= 1
                             ? "; x is no better than 0, whose residual is 1"
                             : "; nothing to verify: rounding alone may have added |b| and more");
    return fmt::format("{}, VERIFICATION FAILED: {}", ending,
                       r.residual.recomputed <= explained_residual(r.residual.iterated, facts_of(r))
                           ? "rounding in " + r.problem.precision +
                                 " precision keeps the true residual from what was requested"
                           : "the true residual contradicts it");
}

std::string method(const RunReport& r)
{
    return fmt::format("{} on {}{}, {} precision, {} reals per link", r.solver, operator_of(r),
                       r.even_odd ? ", even-odd preconditioned" : "", r.problem.precision, r.links);
}

void print_machine(std::ostream& out, const RunReport& r)
{
    Lines lines(out);
    const auto& w = r.workers;
    if (!r.plan) {
        lines.add("engine", "{}, {} thread{}, no StarPU; load average {:.2f}", r.engine, w.cpu,
                  w.cpu == 1 ? "" : "s", r.load_average);
        lines.add("command", "{}", r.command);
        return;
    }
    lines.add("workers", "{}; scheduler {}; load average {:.2f}", to_string(w), r.plan->scheduler,
              r.load_average);
    if (const Extents tiles = r.plan->tiles(); volume(tiles) > 1)
        lines.add("tiles", "{} = {}", to_string(tiles), volume(tiles));
    print_plan(out, *r.plan, r.command);
    if (r.split) print_split(lines, *r.split);
}

void print_text(std::ostream& out, const RunReport& r)
{
    Lines lines(out);
    out << "D x = b\n";
    print_problem(lines, r.problem);
    if (!r.guess.empty()) lines.add("first guess", "{}", r.guess);
    if (r.resumed)
        lines.add("resumed", "{}, at iteration {}", r.resumed->file, r.resumed->iteration);
    lines.add("method", "{}", method(r));
    if (r.stencil) print_stencil(lines, *r.stencil);
    print_machine(out, r);
    out << "result\n";
    lines.add("outcome", "{}", outcome(r));
    lines.add("iterations", "{}, {} applications of the operator", r.iterations,
              r.operator_applications);
    if (r.preconditioner) print_preconditioner(lines, *r.preconditioner);
    if (r.preconditioner && r.preconditioner->bicgstab_iterations)
        lines.add("", "given up after {} of gcr, with which it got nowhere; bicgstab went on",
                  r.iterations - *r.preconditioner->bicgstab_iterations);
    if (r.sloppy && !r.sloppy->updates.empty()) print_sloppy(lines, *r.sloppy, r.iterations);
    if (r.cg_iterations)
        lines.add("", "cr broke down after {}: its next step would have been rounding; cg went on",
                  r.iterations - *r.cg_iterations);
    lines.add("|b - D x|/|b|", "{}iterated {:.2e}, true {:.2e} (recomputed {})",
              r.fixed_iterations ? "" : fmt::format("requested {:g}, ", r.residual.requested),
              r.residual.iterated, r.residual.recomputed,
              r.stencil ? "by the version's own D" : "in double");
    lines.add("", "heavy-quark residual {:.2e}: root mean square of |b - D x|/|x| over the sites",
              r.residual.heavy_quark);
    const RunReport::Solution& s = r.solution;
    lines.add("|x|^2", "{}", product_text(s.norm2, fmt::format("{:.7e}", s.norm2)));
    lines.add("(b|x)", "{}", product_text(s.source_dot, complex_text(s.source_dot, 7)));
    lines.add("digest of x", "{}", r.solution.digest);
    if (!r.solution.file.empty())
        lines.add("x saved", "{}{}", r.solution.file,
                  r.solution.phases ? fmt::format(", phases {}", place_of(*r.solution.phases))
                                    : "");
    if (r.checkpoint) print_checkpoint(lines, *r.checkpoint);
    print_rhs(out, r);
    out << "cost\n";
    print_times(lines, r);
    print_peak(lines, r);
    print_kernels(out, r);
}

void print_text(std::ostream& out, const ApplyReport& r)
{
    Lines lines(out);
    out << "D applied to psi\n";
    print_problem(lines, r.problem);
    lines.add("precision", "{}, {} reals per link", r.problem.precision, r.links);
    out << "result: |psi|^2 = sum over all components, (a|b) = sum conj(a) b\n";
    const auto norm2 = [&](const char* label, double value) {
        lines.add(label, "{}", product_text(value, fmt::format("{:.12e}", value)));
    };
    const auto dot = [&](const char* label, std::complex<double> z) {
        lines.add(label, "{}", product_text(z, complex_text(z, 12)));
    };
    const OperatorNorms& n = r.norms;
    norm2("|psi|^2", n.norm2_psi);
    norm2("|H psi|^2", n.norm2_Hpsi);
    norm2("|D psi|^2", n.norm2_Dpsi);
    dot("(psi|D psi)", n.psi_D_psi);
    dot("(psi|g5 D psi)", n.psi_g5D_psi);
    norm2("|D^dag D psi|^2", n.norm2_DdagDpsi);
    norm2("|psi_even|^2", n.norm2_psi_even);
    norm2("|Dhat psi_e|^2", n.norm2_Dhat_even_psi);
}

ExitStatus exit_status(const RunReport& r)
{
    const bool done = r.converged || (r.fixed_iterations && !r.interrupted && !r.breakdown);
    if (!done) return exit_not_converged;
    return r.verification == Verification::failed ? exit_verify_failed : exit_converged;
}

std::string multigrid_advice(const RunReport& r, const RunSpec& s)
{
    constexpr long many = 2000; // of a source, where it pays for twelve (docs/multigrid.md)
    const long applications = r.operator_applications / std::max<long>(1, long(r.rhs.size()));
    const bool is_possible = r.plan && volume(r.plan->rank_grid) == 1 &&
                             r.plan->kind != PlanKind::linked && !s.method.ladder() &&
                             s.method.links() != LinkStorage::minimal;
    if (applications < many || !is_possible || s.method.precondition()) return "";
    return fmt::format(
        "{} applications of the operator: multigrid needs some hundred for a source, "
        "after a set-up (--solver gcr --precondition mg)",
        applications);
}

} // namespace qcd
