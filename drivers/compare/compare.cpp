#include "drivers/commands.hpp"
#include "drivers/compare/bound_report.hpp"
#include "drivers/compare/compare_report.hpp"
#include "drivers/compare/warnings.hpp"
#include "drivers/machine/starpu_facts.hpp"
#include "drivers/plan/command.hpp"
#include "drivers/progress.hpp"
#include "drivers/provenance.hpp"
#include "drivers/solve.hpp"
#include "lattice/text.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/opencl_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <numeric>
#include <unistd.h>

namespace qcd
{

namespace
{

using experiment::Outcome;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// A case, and its options.
struct Variant {
    experiment::Case shown;
    cli::SolveOptions options;
};

/// Each value of a factor with each of the others; the last factor varies fastest. Names say what
/// varies.
std::vector<Variant> product(const cli::CompareOptions& o)
{
    const bool only_case = std::none_of(o.factors.begin(), o.factors.end(),
                                        [](const auto& f) { return f.values.size() > 1; });
    std::vector<Variant> all{{{}, o.solve}};
    for (const cli::CaseFactor& factor : o.factors) {
        std::vector<Variant> more;
        for (const Variant& v : all)
            for (const cli::CaseValue& value : factor.values) {
                Variant next = v;
                next.shown.factors.push_back({factor.key, value.text});
                if (factor.values.size() > 1 || only_case)
                    next.shown.name += fmt::format("{}{} {}", v.shown.name.empty() ? "" : ", ",
                                                   factor.key, value.text);
                value.set(next.options);
                more.push_back(std::move(next));
            }
        all = std::move(more);
    }
    return all;
}

/// With StarPU's names for `--sched all`. Throws Error for a name that it does not know.
cli::CompareOptions with_schedulers(cli::CompareOptions o)
{
    const std::vector<std::string> known = starpu_schedulers();
    for (cli::CaseFactor& factor : o.factors) {
        if (factor.key != "sched") continue;
        if (o.all_schedulers)
            for (const std::string& name : known)
                factor.values.push_back(
                    {name, [name](cli::SolveOptions& s) { s.machine.sched = name; }});
        for (const cli::CaseValue& value : factor.values) {
            cli::SolveOptions asked;
            value.set(asked);
            if (std::find(known.begin(), known.end(), asked.machine.sched) == known.end() &&
                !std::getenv("STARPU_SCHED_LIB"))
                throw Error(fmt::format("--sched: StarPU has no scheduler {} (info lists them)",
                                        qcd::quoted(asked.machine.sched)));
        }
    }
    return o;
}

/// Seconds of all CPU workers together in the operations of a solve, by group: those of
/// compare_quantities from hopping on, then what is left, in seconds and percent.
std::vector<double> parts_of(const RunReport& r)
{
    std::vector<double> parts(7, unknown);
    if (!r.workers.only_cores()) return parts; // their kernels are timed apart from the solve
    enum { hopping, faces, updates, sums, other, idle, idle_percent };
    std::fill(parts.begin(), parts.end(), 0);
    for (const KernelRate& k : r.kernels) {
        const auto is = [&](const char* name) { return k.name.starts_with(name); };
        const auto has = [&](const char* word) { return k.name.find(word) != std::string::npos; };
        const int group = is("hopping") || is("linked_hop") ? hopping
                          : is("pack_faces")                ? faces
                          : (has("_update_") || has("_residual_f") || is("xpay")) && !is("last_")
                              ? updates
                          : is("chiral_scale") ? other
                                               : sums;
        parts[group] += 1e-6 * k.mean_us * double(k.count);
    }
    const double all = r.seconds.solve * r.workers.cpu;
    parts[idle] = std::max(0.0, all - std::accumulate(parts.begin(), parts.begin() + idle, 0.0));
    parts[idle_percent] = 100 * parts[idle] / all;
    return parts;
}

Outcome outcome_of(const RunReport& r)
{
    Outcome o{r.seconds.solve, {r.seconds.setup, r.gflops, double(r.tasks)}, r.solution.digest, ""};
    const std::vector<double> parts = parts_of(r);
    o.values.insert(o.values.end(), parts.begin(), parts.end());
    const ExitStatus status = exit_status(r);
    if (status == exit_verify_failed)
        o.failure = fmt::format("not verified: |b - D x|/|b| is {:.2e}", r.residual.recomputed);
    else if (status != exit_converged)
        o.failure = fmt::format("not converged in {} iterations", r.iterations);
    return o;
}

/// A solve with a session of its own; nothing: it was interrupted.
std::optional<Outcome> run_variant(cli::SolveOptions o, int which, Looks& looks)
{
    try {
        const auto gauge = open_problem_gauge(o.problem, o.output);
        if (!o.links) o.links = default_links(*gauge, o.precision);
        const auto source = open_spinor_source(o.problem.source, gauge->extents());
        RunRecord record = looks.wanted(which);
        RunReport r = solve_with_starpu(o, *gauge, *source, nullptr, &record);
        if (r.interrupted) return std::nullopt;
        complete(r);
        if (exit_status(r) == exit_converged) looks.add(which, r, std::move(record));
        return outcome_of(r);
    } catch (const Interrupted&) {
        return std::nullopt;
    } catch (const Error& e) {
        return Outcome{0, {}, "", e.what()};
    }
}

experiment::Design design_of(const cli::CompareOptions& o, const std::vector<Variant>& variants)
{
    experiment::Design d;
    for (const Variant& v : variants) d.cases.push_back(v.shown);
    d.quantities = compare_quantities;
    d.rounds = o.rounds;
    d.seed = std::uint64_t(o.seed);
    const MachineFacts machine = probe_machine();
    const cli::SolveOptions& s = o.solve;
    d.common = {{"program", cli::version_line()},
                {"cpu", machine.cpu_model},
                {"cores", machine.cores},
                {"problem", equivalent_command(s, nullptr, {}, 0)},
                {"links", s.links ? reals(*s.links) : 0},
                {"gpu_memory", s.machine.gpu_memory.value_or(0)},
                {"tune", int(s.machine.tune)}};
    return d;
}

/// A line on a terminal that is rewritten before each run.
class ProgressLine
{
public:
    explicit ProgressLine(bool quiet) : shown_(!quiet && isatty(STDERR_FILENO)) {}
    ~ProgressLine() { show(""); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    void show(const std::string& text) const
    {
        if (shown_) std::fputs(("\r\033[K" + text).c_str(), stderr);
        if (shown_) std::fflush(stderr);
    }

private:
    bool shown_;
};

std::string line_of(const experiment::Progress& p, const experiment::Design& d)
{
    std::string text = p.round == 0 ? "warm-up" : fmt::format("round {} of {}", p.round, d.rounds);
    text += fmt::format("  run {} of {}  {}", p.done + 1, p.runs, d.cases[p.which].name);
    if (p.seconds_left) text += fmt::format("  about {} left", duration(*p.seconds_left));
    return text;
}

ExitStatus status_of(const CompareReport& r)
{
    if (!r.differing.empty()) return exit_verify_failed;
    if (r.interrupted) return exit_not_converged;
    return complete(r.design, r.runs) ? exit_converged : exit_missing_device;
}

void measure(CompareReport& r, const std::vector<Variant>& variants, const cli::CompareOptions& o,
             Looks& looks)
{
    const ProgressLine line(o.output.quiet);
    const auto left_out = [&](int which, const std::string& why) {
        line.show("");
        note(fmt::format("{}: {}", r.design.cases[which].name, why), o.output);
    };
    experiment::RunFile file(o.folder + "/runs.csv", r.design);
    r.runs = run_rounds(
        r.design,
        {.run =
             [&](int which) {
                 const auto outcome = run_variant(variants[which].options, which, looks);
                 if (outcome && !outcome->failure.empty()) left_out(which, outcome->failure);
                 return outcome;
             },
         .progress = [&](const experiment::Progress& p) { line.show(line_of(p, r.design)); },
         .stop = [] { return stop_requested.load(); }},
        &file);
}

} // namespace

/// Where nothing was run, what an earlier call found.
BoundReport bounds_of(const CompareReport& r, const Looks& looks, const BoundReport& earlier)
{
    BoundReport bounds = bound_report(r.design, r.ranking, r.runs, looks, earlier);
    if (!looks.load_before()) {
        bounds.warnings = earlier.warnings;
        return bounds;
    }
    WarningsFor w{.load_before = looks.load_before(),
                  .machine = probe_machine(),
                  .opencl_gpus = opencl_devices(false)};
    if (const char* cores = std::getenv("POCL_MAX_PTHREAD_COUNT")) w.pocl_cores = std::atoi(cores);
    for (std::size_t i = 0; i < r.design.cases.size(); ++i) {
        const experiment::Case& c = r.design.cases[i];
        w.names.push_back(c.name);
        w.cases.push_back(looks.facts(int(i)));
        for (const experiment::Factor& f : c.factors) w.schedulers_compared |= f.key == "sched";
    }
    bounds.warnings = warnings_of(w);
    return bounds;
}

int run_compare(const cli::CompareOptions& options)
{
    const cli::CompareOptions o = with_schedulers(options);
    const std::vector<Variant> variants = product(o);
    CompareReport r;
    r.problem = equivalent_command(o.solve, nullptr, {}, 0);
    r.design = design_of(o, variants);
    experiment::claim_folder(o.folder, r.design);
    // A run without OpenCL leaves its libraries out for good: they come in before it.
    if (std::any_of(variants.begin(), variants.end(),
                    [](const Variant& v) { return v.options.machine.opencl.value_or(0) > 0; }))
        find_devices();
    const BoundReport earlier = earlier_bounds(o.folder);
    Looks looks(variants.size());
    looks.fastest = earlier.fastest;
    measure(r, variants, o, looks);
    r.interrupted = stop_requested && !complete(r.design, r.runs);
    r.ranking = rank(r.design, r.runs);
    r.differing = differing_digests(r.design, r.runs);
    r.bounds = bounds_of(r, looks, earlier);
    note(draw_charts(r, o.folder), o.output);
    const auto json = with_provenance(to_json(r), o.output, find_devices(), starpu_build());
    write_json(o.folder + "/compare.json", json);
    if (!o.output.json.empty()) write_json(o.output.json, json);
    if (!o.output.quiet) {
        print_text(std::cout, r.design, r.ranking);
        print_text(std::cout, r.bounds);
        std::cout << fmt::format("  {}: runs.csv, compare.json{}\n", o.folder,
                                 r.plots.empty() ? "" : ", and charts as .svg, .png, .gp, .dat");
    }
    for (const std::string& warning : r.bounds.warnings) note(warning, o.output);
    const ExitStatus status = status_of(r);
    if (status == exit_verify_failed) complain("compare: different bits: " + r.differing);
    if (status == exit_not_converged) complain("compare: interrupted; the same command goes on");
    return status;
}

} // namespace qcd
