#include "drivers/commands/commands.hpp"
#include "drivers/compare/bound_report.hpp"
#include "drivers/compare/calibration.hpp"
#include "drivers/compare/cases.hpp"
#include "drivers/compare/compare_report.hpp"
#include "drivers/compare/outcome.hpp"
#include "drivers/compare/warnings.hpp"
#include "drivers/ensemble/ensemble_run.hpp"
#include "drivers/plan/command.hpp"
#include "drivers/run/problem.hpp"
#include "drivers/run/shared_runs.hpp"
#include "drivers/run/solve_rounds.hpp"
#include "drivers/run/with_starpu.hpp"
#include "drivers/simulation/simulated_cases.hpp"
#include "drivers/spec/rules.hpp"
#include "drivers/spec/run_fields.hpp"
#include "experiment/notebook.hpp"
#include "program/complain.hpp"
#include "program/progress_line.hpp"
#include "program/provenance.hpp"
#include "program/stop.hpp"
#include "runtime/codelet.hpp"
#include "runtime/environment.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

namespace qcd
{

namespace
{

using experiment::Outcome;

/// Where to keep what a run tells beside its outcome; looks null: nowhere.
struct LookAt {
    Looks* looks = nullptr;
    int which = 0; ///< of the cases
};

enum Manner { measured, calibrating };

/// What the cases may use: what this machine has, or what every rank has.
struct Available {
    int cores, gpus;
};

Available available_to(Ranks& ranks)
{
    return {least_of_all(ranks, probe_machine().cores),
            least_of_all(ranks, int(cuda_devices_for({.ranks = &ranks}).size()))};
}

/// The run of a case, with a session of its own.
RunReport run_by_itself(const CompareSpec& o, const RunSpec& s, Ranks& ranks, RunObserver* observer)
{
    if (!o.generates()) return solve_by_itself(s, ranks, observer);
    GenerateSpec g = o.ensemble;
    g.run = s;
    // In sweeps that measure models these are iterations (short_solves).
    if (s.method.iterations()) g.sweeps = std::min(g.sweeps(), *s.method.iterations());
    return run_ensemble(g, beginning_of(g), ranks, observer).run;
}

/// Nothing: it was interrupted.
std::optional<Outcome> run_variant(const CompareSpec& o, const RunSpec& s, Ranks& ranks,
                                   LookAt look = {})
{
    RunRecord record = look.looks ? look.looks->wanted(look.which) : RunRecord{};
    const auto outcome = [&](const RunReport& r) {
        if (look.looks && exit_status(r) == exit_converged)
            look.looks->add(look.which, r, std::move(record));
        return outcome_of(r);
    };
    RunObserver* const observer = look.looks ? &record : nullptr;
    return outcome_of_run(
        ranks, [&] { return run_by_itself(o, s, ranks, observer); }, outcome);
}

/// During the rounds performance models are not calibrated, so that all rounds ask the same ones.
std::optional<Outcome> run_measured(const CompareSpec& o, RunSpec s, Ranks& ranks, LookAt look = {})
{
    s.execution.calibrate = false;
    return run_variant(o, s, ranks, look);
}

std::string value_of(const char* variable)
{
    const char* const value = std::getenv(variable);
    return value ? value : "";
}

/// What all cases have alike, in a folder's design.
experiment::Json kept_problem(const CompareSpec& o, const CompareReport& r)
{
    if (o.generates()) return r.problem;
    return identity_of(o.run);
}

experiment::Design design_of(const CompareSpec& o, const CompareReport& r,
                             const std::vector<Variant>& variants, const Ranks& ranks)
{
    experiment::Design d;
    for (const Variant& v : variants) d.cases.push_back(v.shown);
    d.quantities = compare_quantities();
    d.one_result = std::none_of(variants.begin(), variants.end(),
                                [](const Variant& v) { return v.options.method.ladder(); });
    d.rounds = o.rounds.rounds();
    d.seed = std::uint64_t(o.rounds.seed());
    const MachineFacts machine = probe_machine();
    d.common = {{"program", version_line()},
                {"cpu", machine.cpu_model},
                {"cores", machine.cores},
                {"problem", kept_problem(o, r)},
                {"gpu_memory", o.run.execution.gpu_memory().value_or(0)},
                {"ranks", ranks.size()},
                {"pocl_devices", value_of("POCL_DEVICES")}};
    return d;
}

ExitStatus status_of(const CompareReport& r)
{
    if (!r.differing.empty()) return exit_verify_failed;
    if (r.interrupted) return exit_not_converged;
    return complete(r.design, r.runs) ? exit_converged : exit_missing_device;
}

/// Says what will run.
void announce(const CompareSpec& o, const experiment::Design& d,
              const std::vector<experiment::Run>& measured, int calibrated,
              const std::vector<CaseFactor>& chosen)
{
    if (o.run.output.quiet()) return;
    if (!chosen.empty()) std::cout << "cases           " << as_typed(chosen) << " (chosen)\n";
    const int runs = runs_to_go(d, measured);
    std::cout << fmt::format("runs            {}, {} after a warm-up: {}{}\n",
                             counted(long(d.cases.size()), "case"), counted(d.rounds, "round"),
                             counted(runs, "run"), measured.empty() ? "" : " to go");
    if (calibrated > 0)
        std::cout << fmt::format("calibration     before them: performance models for {}\n",
                                 counted(calibrated, "case"));
    std::cout << std::flush;
}

/// A line that says which models are no longer those that the rounds began with; empty: none.
std::string change_of(const Calibration& c, const char* when)
{
    const std::string what = c.changed();
    return what.empty() ? "" : fmt::format("performance models changed {}: {}", when, what);
}

/// Measures models once: a comparison that goes on keeps them. False: it was stopped.
bool prepare_models(CompareReport& r, const std::vector<Variant>& variants, bool gpus,
                    const CompareSpec& o, Ranks& ranks)
{
    if (r.calibration) {
        note(change_of(*r.calibration, "since rounds began"), o.run.output.quiet());
        return true;
    }
    const ProgressLine line(o.run.output.quiet());
    SharedRuns shared(ranks);
    r.calibration = calibrate(
        variants, gpus,
        {.run =
             [&](const Variant& v) {
                 shared.begin(int(&v - variants.data()), calibrating);
                 return run_variant(o, short_solves(v.options), ranks);
             },
         .progress = [&](const Variant& v) { line.show("calibration  " + v.shown.name); }});
    if (!r.calibration) return false;
    write_calibration(o.rounds.folder(), *r.calibration);
    return true;
}

void measure(CompareReport& r, const std::vector<Variant>& variants, const CompareSpec& o,
             Ranks& ranks, Looks& looks, experiment::RunFile& file)
{
    // A bound needs all tasks, and those of other ranks are not known.
    r.runs = measure_rounds(
        r.design, file, ranks, o.run.output,
        [&](int which) {
            return run_measured(o, variants[which].options, ranks,
                                {ranks.several() ? nullptr : &looks, which});
        },
        measured);
}

/// Prepares devices and models alike for all cases.
void prepare_machine(const std::vector<Variant>& variants, Environment& environment,
                     const CompareSpec& o, const Ranks& ranks)
{
    const auto some = [&](const auto& is) {
        return std::any_of(variants.begin(), variants.end(),
                           [&](const Variant& v) { return is(v.options.execution); });
    };
    const auto with_opencl = [](const ExecutionSpec& m) { return m.opencl().value_or(0) > 0; };
    if (some([&](const auto& m) { return with_opencl(m) && m.cpus().value_or(0) > 0; }) &&
        keep_pocl_to_its_worker())
        note("PoCL computes in the thread of its worker alone, on one core, in all cases",
             o.run.output.quiet());
    // After a run without OpenCL its libraries cannot be loaded any more: they are loaded before.
    if (some(with_opencl)) count_opencl_on_cpus(environment);
    // One process writes the folder: what other ranks gather stays where solves have it.
    if (!ranks.speaks()) return;
    // The default is a file that all programs of this name share, and that heteroprio fills up.
    environment.set_default("STARPU_HETEROPRIO_DATA_FILE", o.rounds.folder() + "/heteroprio.data");
}

void write_results(CompareReport& r, const CompareSpec& o)
{
    note(draw_charts(r, o.rounds.folder()), o.run.output.quiet());
    experiment::write_notebook(o.rounds.folder(), notebook_of(r));
    write_result({o.rounds.folder() + "/compare.json", o.run.output.json()}, to_json(r),
                 o.run.output);
    for (const std::string& warning : r.bounds.warnings) note(warning, o.run.output.quiet());
    if (o.run.output.quiet()) return;
    print_text(std::cout, r.design, r.ranking);
    print_times(std::cout, r);
    print_text(std::cout, r.bounds);
    print_text(std::cout, r.runtime);
    std::cout << fmt::format("  {}: runs.csv, runs.Rmd, compare.json{}\n", o.rounds.folder(),
                             r.plots.empty() ? "" : ", and charts as .svg, .png, .gp, .dat");
    print_verdict(std::cout, r.design, r.ranking);
}

/// The bounds, or what an earlier call found where nothing was run.
BoundReport bounds_of(const CompareReport& r, const Looks& looks, const BoundReport& earlier)
{
    BoundReport bounds = bound_report(r.design, r.ranking, r.runs, looks, earlier);
    bounds.warnings =
        looks.load_before() ? warnings_of(warnings_for(r.design, looks)) : earlier.warnings;
    return bounds;
}

/// What the other ranks do: they run the case that they are told.
int follow(const CompareSpec& o, const std::vector<Variant>& variants, Ranks& ranks)
{
    return SharedRuns(ranks).follow([&](int which, int manner) {
        const RunSpec& s = variants[std::size_t(which)].options;
        manner == calibrating ? run_variant(o, short_solves(s), ranks) : run_measured(o, s, ranks);
    });
}

/// The lattice of the whole comparison, whose fields all cases have.
Extents lattice_of(const CompareSpec& o)
{
    if (!o.generates()) return open_problem_gauge(o.run.problem, o.run.output)->extents();
    GenerateSpec g = o.ensemble;
    g.run = o.run;
    return beginning_of(g).state.lattice;
}

} // namespace

int run_compare(const CompareSpec& o, Ranks& ranks)
{
    if (!o.machine().empty()) return run_simulated_comparison(o);
    const Extents lattice = lattice_of(o);
    const auto [cores, gpus] = available_to(ranks);
    const std::vector<Variant> variants = variants_of(o, lattice, cores, gpus);
    Environment environment;
    prepare_machine(variants, environment, o, ranks);
    if (!ranks.speaks()) return follow(o, variants, ranks);
    CompareReport r;
    r.ranks = ranks.size();
    r.problem = o.generates() ? ensemble_command(o.ensemble, lattice)
                              : equivalent_command(completed(o.run), nullptr);
    if (o.generates()) r.sweeps = o.ensemble.sweeps();
    r.design = design_of(o, r, variants, ranks);
    experiment::claim_folder(o.rounds.folder(), r.design);
    experiment::RunFile file(o.rounds.folder() + "/runs.csv", r.design);
    const bool some_gpus = gpus > 0;
    const auto asks = [&](const Variant& v) { return asks_models(v.options, some_gpus); };
    announce(o, r.design, file.runs(), int(std::count_if(variants.begin(), variants.end(), asks)),
             o.factors.empty() && !o.table ? default_factors(lattice, cores, gpus, o.generates())
                                           : std::vector<CaseFactor>{});
    const experiment::Json before = earlier_comparison(o.rounds.folder());
    const BoundReport earlier = earlier_bounds(before);
    const RuntimeReport earlier_split = earlier_runtime(before);
    Looks looks(variants.size());
    looks.fastest = earlier.fastest;
    r.calibration = read_calibration(o.rounds.folder());
    r.runs = file.runs();
    if (runs_to_go(r.design, r.runs) > 0 && prepare_models(r, variants, some_gpus, o, ranks)) {
        measure(r, variants, o, ranks, looks, file);
        note(change_of(*r.calibration, "during the rounds"), o.run.output.quiet());
    }
    r.interrupted = stop_requested && !complete(r.design, r.runs);
    r.ranking = rank(r.design, r.runs);
    r.differing = differing_digests(r.design, r.runs);
    if (!ranks.several()) {
        r.bounds = bounds_of(r, looks, earlier);
        r.runtime = runtime_report(r.design, r.ranking, r.runs, looks, earlier_split);
    }
    write_results(r, o);
    const ExitStatus status = status_of(r);
    if (status == exit_verify_failed) complain("compare: different bits: " + r.differing);
    if (status == exit_not_converged) complain("compare: interrupted; the same command goes on");
    return SharedRuns(ranks).end(status);
}

} // namespace qcd
