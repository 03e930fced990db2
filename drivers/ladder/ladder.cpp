#include "drivers/commands.hpp"
#include "drivers/json_file.hpp"
#include "drivers/ladder/ladder_report.hpp"
#include "drivers/machine/starpu_facts.hpp"
#include "drivers/plan/command.hpp"
#include "drivers/problem.hpp"
#include "drivers/progress_line.hpp"
#include "drivers/provenance.hpp"
#include "drivers/solve.hpp"
#include "runtime/codelet.hpp"
#include "runtime/environment.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

namespace qcd
{

namespace
{

using cli::LadderDevice;
using experiment::Outcome;

std::vector<LadderDevice> devices_here(const std::vector<Device>& found)
{
    std::vector<LadderDevice> devices{LadderDevice::core, LadderDevice::cores};
    if (std::any_of(found.begin(), found.end(), [](const Device& d) { return d.kind == "OpenCL"; }))
        devices.push_back(LadderDevice::opencl);
    if (!cuda_devices().empty()) devices.push_back(LadderDevice::cuda);
    return devices;
}

experiment::Design design_of(const LadderReport& r, const cli::LadderOptions& o)
{
    experiment::Design d;
    for (const LadderRow& row : r.rows) {
        const std::string device(cli::to_string(row.device));
        const auto& multiple = row.options.multiple;
        d.cases.push_back({device + " " + row.name,
                           {{"device", device},
                            {"stencil", row.version()},
                            {"multiple", multiple ? std::to_string(*multiple) : ""}}});
    }
    d.quantities = ladder_quantities();
    d.rounds = o.rounds;
    d.seed = std::uint64_t(o.seed);
    d.one_result = false;
    const MachineFacts machine = probe_machine();
    d.common = {{"program", cli::version_line()},
                {"cpu", machine.cpu_model},
                {"cores", machine.cores},
                {"problem", r.problem},
                {"gpu_memory", o.solve.machine.gpu_memory.value_or(0)}};
    return d;
}

/// Nothing: it was interrupted.
std::optional<Outcome> run_row(const cli::SolveOptions& o)
{
    try {
        const RunReport r = solve_by_itself(o);
        if (r.interrupted) return std::nullopt;
        return ladder_outcome(r);
    } catch (const Interrupted&) {
        return std::nullopt;
    } catch (const Error& e) {
        return Outcome{0, {}, "", e.what()};
    }
}

void measure(LadderReport& r, const cli::OutputOptions& output, experiment::RunFile& file)
{
    const ProgressLine line(output.quiet);
    r.runs = run_rounds(
        r.design,
        {.run =
             [&](int which) {
                 const auto outcome = run_row(r.rows[std::size_t(which)].options);
                 if (outcome && !outcome->failure.empty()) {
                     line.show("");
                     note(fmt::format("{}: {}", r.design.cases[std::size_t(which)].name,
                                      outcome->failure),
                          output);
                 }
                 return outcome;
             },
         .progress = [&](const experiment::Progress& p) { line.show(line_of(p, r.design)); },
         .stop = [] { return stop_requested.load(); }},
        &file);
}

void write_results(LadderReport& r, const cli::LadderOptions& o)
{
    note(draw_ladder(r, o.folder), o.output);
    const auto json = with_provenance(to_json(r), o.output, find_devices(), starpu_build());
    write_json(o.folder + "/ladder.json", json);
    if (!o.output.json.empty()) write_json(o.output.json, json);
    if (o.output.quiet) return;
    print_text(std::cout, r);
    std::cout << fmt::format("  {}: runs.csv, ladder.json{}\n", o.folder,
                             r.charts.empty() ? "" : ", and charts as .svg, .png, .gp, .dat");
}

ExitStatus status_of(const LadderReport& r)
{
    if (!r.differing.empty()) return exit_verify_failed;
    if (r.interrupted) return exit_not_converged;
    return complete(r.design, r.runs) ? exit_converged : exit_missing_device;
}

/// Before anything runs.
LadderReport begin(cli::LadderOptions& o)
{
    const Extents lattice = open_problem_gauge(o.solve.problem, o.solve.output)->extents();
    const std::vector<Device> found = find_devices(); // OpenCL's libraries come in, for all runs
    const auto devices = o.devices ? *o.devices : devices_here(found);
    const int cores = probe_machine().cores;
    LadderReport r;
    r.iterations_chosen = !o.solve.iterations;
    if (r.iterations_chosen)
        o.solve.iterations =
            ladder_iterations(lattice, int(ladder_rows(o, devices, cores).size()), o.rounds);
    r.problem = equivalent_command(o.solve, nullptr, {}, 0);
    r.rows = ladder_rows(o, devices, cores);
    if (r.rows.empty()) throw Error("--stencil: version original is for cores alone: no row");
    r.design = design_of(r, o);
    return r;
}

} // namespace

int run_ladder(cli::LadderOptions o)
{
    LadderReport r = begin(o);
    Environment environment;
    if (std::any_of(r.rows.begin(), r.rows.end(),
                    [](const LadderRow& row) { return row.device == LadderDevice::opencl; }))
        count_opencl_on_cpus(environment);
    experiment::claim_folder(o.folder, r.design);
    experiment::RunFile file(o.folder + "/runs.csv", r.design);
    if (!o.output.quiet)
        std::cout << fmt::format("rows            {}, {} round{} after a warm-up, {} iterations a "
                                 "run{}: {} runs to go\n",
                                 r.rows.size(), o.rounds, o.rounds == 1 ? "" : "s",
                                 *o.solve.iterations,
                                 r.iterations_chosen ? " (chosen; the study's are 143)" : "",
                                 runs_to_go(r.design, file.runs()))
                  << std::flush;
    measure(r, o.output, file);
    r.interrupted = stop_requested && !complete(r.design, r.runs);
    r.differing = differing_digests(r.design, r.runs);
    r.results = ladder_results(r);
    write_results(r, o);
    const ExitStatus status = status_of(r);
    if (status == exit_verify_failed) complain("ladder: different bits: " + r.differing);
    if (status == exit_not_converged) complain("ladder: interrupted; the same command goes on");
    return status;
}

} // namespace qcd
