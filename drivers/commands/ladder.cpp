#include "base/text.hpp"
#include "drivers/commands/commands.hpp"
#include "drivers/ladder/ladder_report.hpp"
#include "drivers/plan/command.hpp"
#include "drivers/run/problem.hpp"
#include "drivers/run/shared_runs.hpp"
#include "drivers/run/solve_rounds.hpp"
#include "drivers/run/with_starpu.hpp"
#include "drivers/spec/rules.hpp"
#include "program/complain.hpp"
#include "program/provenance.hpp"
#include "program/stop.hpp"
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

using experiment::Outcome;

/// Devices that all ranks have.
std::vector<LadderDevice> devices_here(const std::vector<Device>& found, Ranks& ranks)
{
    const bool opencl =
        std::any_of(found.begin(), found.end(), [](const Device& d) { return d.kind == "OpenCL"; });
    std::vector<LadderDevice> devices{LadderDevice::core, LadderDevice::cores};
    if (!ranks.any(!opencl)) devices.push_back(LadderDevice::opencl);
    if (!ranks.any(cuda_devices_for({.ranks = &ranks}).empty()))
        devices.push_back(LadderDevice::cuda);
    return devices;
}

/// Cores for the workers of a row: one of several ranks leaves a core to its other threads.
int cores_here(Ranks& ranks)
{
    const int cores = least_of_all(ranks, probe_machine().cores);
    return ranks.several() ? std::max(1, cores - 1) : cores;
}

experiment::Design design_of(const LadderReport& r, const LadderSpec& o)
{
    experiment::Design d;
    for (const LadderRow& row : r.rows) {
        const std::string device(to_string(row.device));
        const auto& multiple = row.options.method.multiple();
        d.cases.push_back({device + " " + row.name,
                           {{"device", device},
                            {"ladder", row.version()},
                            {"multiple", multiple ? std::to_string(*multiple) : ""}}});
    }
    d.quantities = ladder_quantities();
    d.rounds = o.rounds.rounds();
    d.seed = std::uint64_t(o.rounds.seed());
    d.one_result = false;
    const MachineFacts machine = probe_machine();
    d.common = {
        {"program", version_line()}, {"cpu", machine.cpu_model},
        {"cores", machine.cores},    {"problem", r.problem},
        {"ranks", r.ranks},          {"gpu_memory", o.run.execution.gpu_memory().value_or(0)}};
    return d;
}

std::optional<Outcome> run_row(const LadderRow& row, Ranks& ranks)
{
    return outcome_of_run(
        ranks, [&] { return solve_by_itself(row.options, ranks); }, ladder_outcome);
}

void write_results(LadderReport& r, const LadderSpec& o)
{
    note(draw_ladder(r, o.rounds.folder()), o.run.output.quiet());
    write_result({o.rounds.folder() + "/ladder.json", o.run.output.json()}, to_json(r),
                 o.run.output);
    if (o.run.output.quiet()) return;
    print_text(std::cout, r);
    std::cout << fmt::format("  {}: runs.csv, ladder.json{}\n", o.rounds.folder(),
                             r.charts.empty() ? "" : ", and charts as .svg, .png, .gp, .dat");
}

ExitStatus status_of(const LadderReport& r)
{
    if (!r.differing.empty()) return exit_verify_failed;
    if (r.interrupted) return exit_not_converged;
    return complete(r.design, r.runs) ? exit_converged : exit_missing_device;
}

/// What a report has before anything runs.
LadderReport begin(LadderSpec& o, Ranks& ranks)
{
    const Extents lattice = open_problem_gauge(o.run.problem, o.run.output)->extents();
    const std::vector<Device> found = find_devices(); // OpenCL's libraries come in, for all runs
    const auto devices = o.devices() ? *o.devices() : devices_here(found, ranks);
    const int cores = cores_here(ranks);
    LadderReport r;
    r.ranks = ranks.size();
    r.iterations_chosen = !o.run.method.iterations();
    if (r.iterations_chosen)
        o.run.method.iterations = ladder_iterations(
            lattice, int(ladder_rows(o, devices, cores).size()), o.rounds.rounds());
    r.problem = equivalent_command(completed(o.run), nullptr);
    r.rows = ladder_rows(o, devices, cores);
    if (r.rows.empty()) throw Error("--ladder: version original is for cores alone: no row");
    r.design = design_of(r, o);
    return r;
}

} // namespace

int run_ladder(LadderSpec o, Ranks& ranks)
{
    LadderReport r = begin(o, ranks);
    Environment environment;
    if (std::any_of(r.rows.begin(), r.rows.end(),
                    [](const LadderRow& row) { return row.device == LadderDevice::opencl; }))
        count_opencl_on_cpus(environment);
    SharedRuns shared(ranks);
    if (!ranks.speaks())
        return shared.follow([&](int which, int) { run_row(r.rows[std::size_t(which)], ranks); });
    experiment::claim_folder(o.rounds.folder(), r.design);
    experiment::RunFile file(o.rounds.folder() + "/runs.csv", r.design);
    if (!o.run.output.quiet())
        std::cout << fmt::format("rows            {}, {} after a warm-up, {} a run{}: {} to go\n",
                                 r.rows.size(), counted(r.design.rounds, "round"),
                                 counted(*o.run.method.iterations(), "iteration"),
                                 r.iterations_chosen ? " (chosen; the study's are 143)" : "",
                                 counted(runs_to_go(r.design, file.runs()), "run"))
                  << std::flush;
    r.runs = measure_rounds(r.design, file, ranks, o.run.output,
                            [&](int which) { return run_row(r.rows[std::size_t(which)], ranks); });
    r.interrupted = stop_requested && !complete(r.design, r.runs);
    r.differing = differing_digests(r.design, r.runs);
    r.results = ladder_results(r);
    write_results(r, o);
    const ExitStatus status = status_of(r);
    if (status == exit_verify_failed) complain("ladder: different bits: " + r.differing);
    if (status == exit_not_converged) complain("ladder: interrupted; the same command goes on");
    return shared.end(status);
}

} // namespace qcd
