#include "drivers/spec/rules.hpp"

#include "drivers/spec/run_fields.hpp"
#include "lattice/gauge_source.hpp"
#include "lattice/spinor_source.hpp"
#include "program/cli/argument_checks.hpp"
#include "tasks/domains.hpp"
#include "traces/trace_folder.hpp"

#include <cmath>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>

namespace fs = std::filesystem;

namespace qcd
{

namespace
{

struct Asked {
    const RunSpec& s;
    Asker asker;
    const MethodSpec& method = s.method;
    const ExecutionSpec& execution = s.execution;
    const ProblemSpec& problem = s.problem;
};
using A = const Asked&;

/// What may hold of what is asked for.
struct Fact {
    std::function<bool(A)> holds;
    template <std::predicate<A> Holds>
    Fact(Holds h) : holds(std::move(h))
    {
    }
    friend Fact operator&&(const Fact& x, const Fact& y)
    {
        return [x, y](A a) { return x.holds(a) && y.holds(a); };
    }
    friend Fact operator||(const Fact& x, const Fact& y)
    {
        return [x, y](A a) { return x.holds(a) || y.holds(a); };
    }
    friend Fact operator!(const Fact& x)
    {
        return [x](A a) { return !x.holds(a); };
    }
};

/// Where some of the options are given (or "": always) and `broken`: an error, "OPTIONS: sentence".
/// In the sentence {engine}, {version}, {solver}, {gauge}, {source}, {plan}, {tiles}, {repeat} stand
/// for what was asked.
struct Rule {
    std::vector<std::string_view> options;
    Fact broken;
    std::string_view sentence;
};

std::vector<std::string_view> with_multigrid(std::vector<std::string_view> options)
{
    options.insert(options.end(), of_multigrid.begin(), of_multigrid.end());
    return options;
}

std::vector<Rule> made_rules()
{
    const Fact by_ranks = [](A a) { return a.asker == Asker::ranks; };
    const Fact simulated = [](A a) { return a.asker == Asker::simulation; };
    const Fact plain = [](A a) { return a.execution.engine() != Engine::starpu; };
    const Fact version = [](A a) { return a.method.ladder() != nullptr; };
    const Fact even_odd = [](A a) { return a.method.even_odd().value_or(!a.method.ladder()); };
    const Fact clover = [](A a) { return a.problem.csw() != 0; };
    const Fact sloppy = [](A a) { return a.method.sloppy().has_value(); };
    const Fact half = [](A a) { return a.method.sloppy() == Precision::f16; };
    const Fact several = [](A a) { return a.execution.rhs().value_or(1) > 1; };
    const Fact teams = [](A a) { return a.execution.cores_per_worker().value_or(1) > 1; };
    const Fact domain = [](A a) { return a.method.domain().has_value(); };
    const Fact preconditioned = [](A a) { return a.method.precondition().has_value(); };
    const Fact minimal_links = [](A a) { return a.method.links() == LinkStorage::minimal; };
    const Fact fewer_links = [](A a) {
        return a.method.links().value_or(LinkStorage::full) != LinkStorage::full;
    };
    const Fact generated_gauge = [](A a) { return is_generated(a.problem.gauge()); };
    const Fact generated_source = [](A a) { return is_generated_source(a.problem.source()); };
    const Fact guess = [](A a) { return !a.problem.guess().empty(); };
    const Fact checkpoint = [](A a) { return !a.execution.checkpoint().empty(); };
    const Fact resume = [](A a) { return !a.execution.resume().empty(); };
    const Fact solution_file = [](A a) { return !a.s.output.save_solution().empty(); };
    // gamma5 Dhat with mubar != 0 is not A - A^dagger = c 1, which CR needs.
    const Fact unfit_for_cr = even_odd && [](A a) { return a.problem.mubar() != 0; };

    // The seeds of the right-hand sides, one after the other, go beyond the largest.
    const Fact seeds_wrap = [](A a) {
        const std::string& source = a.problem.source();
        const std::size_t digits = source.find(':') + 1;
        const auto seed = parse_number<std::uint64_t>(std::string_view(source).substr(digits));
        return (source.starts_with("random:") || source.starts_with("det:")) && seed &&
               *seed > UINT64_MAX - std::uint64_t(a.execution.rhs().value_or(1) - 1);
    };

    const auto solver = [](Method m) -> Fact {
        return [m](A a) { return a.method.solver().value_or(Method::cr) == m; };
    };
    const auto plan = [](PlanKind k) -> Fact {
        return [k](A a) { return a.execution.plan() && a.execution.plan()->kind == k; };
    };
    const auto preconditioner = [](std::string_view word) -> Fact {
        return [word](A a) {
            return a.method.precondition() && a.method.precondition()->method == word;
        };
    };
    const Fact multigrid = [](A a) { return is_multigrid(a.method); };
    const Fact gcr = solver(Method::gcr), replayed = plan(PlanKind::replay),
               batches = plan(PlanKind::batch) || plan(PlanKind::linked) || replayed;

    return {
        // ---- the problem
        {{"--kappa", "--mass"},
         [](A a) {
             const double k = kappa_of(a.problem);
             return !std::isfinite(mass_of(a.problem)) || !std::isfinite(k) || k == 0;
         },
         "kappa = 1/(2(m+4)) leaves the range of floating point"},
        {{""},
         generated_gauge && [](A a) { return !a.problem.lattice(); },
         "--lattice XxYxZxT is needed with --gauge {gauge}"},
        {{"--theta"},
         fewer_links && [](A a) { return is_twisted(a.problem.theta()); },
         "links of {links} reals are in SU(3), and hold no phase: use --links 18"},
        {{"--reunitarize", "--gauge-number"},
         generated_gauge,
         "for gauge files, and {gauge} is generated"},
        {{"--ignore-checksum"},
         generated_gauge && generated_source && !guess,
         "for files of fields, and {gauge} and {source} are generated"},
        {{"--source"}, [](A a) { return a.problem.source().empty(); }, "empty"},
        {{"--source-number"}, generated_source, "for files, and {source} is generated"},
        {{"--basis", "--phases"},
         generated_source && !guess,
         "for files of spinors, and {source} is generated"},
        {{"--guess"}, plain, "--engine {engine} begins with 0"},
        {{"--guess"}, version, "version {version} begins with x = 0"},
        {{"--guess-number"}, !guess, "without --guess it means nothing"},
        {{"--csw"}, plain && clover, "--engine {engine} has no clover term"},
        {{"--csw"}, version && clover, "version {version} has no clover term"},
        // ---- versions of the ladder of 2013
        {{"--multiple"}, !version, "of versions of the ladder: see --ladder"},
        {{"--multiple"},
         [](A a) { return !a.method.ladder()->full_groups; },
         "version {version} has no choice of sites in a work group"},
        {{"--even-odd"},
         version && even_odd,
         "version {version} acts on all sites: use --even-odd off"},
        {{"--links"}, version && fewer_links, "version {version} stores all 18 reals of a link"},
        {{"--ladder"},
         version && !solver(Method::cr),
         "version {version} is of conjugate residuals: use --solver cr"},
        {{"--sloppy"}, version && sloppy, "version {version} computes in one precision"},
        {{"--tiles"},
         version &&
             [](A a) {
                 const auto& t = a.execution.tiles();
                 return t && ((*t)[0] > 1 || (*t)[1] > 1 || (*t)[2] > 1);
             },
         "version {version} has slabs in t, 1x1x1xN, not {tiles}"},
        {{"--plan"},
         version && (plan(PlanKind::batch) || plan(PlanKind::linked)),
         "version {version} runs by plan graph, pinned or replay"},
        {{"--ladder"},
         version &&
             [](A a) {
                 const ExecutionSpec& e = a.execution;
                 return !a.method.ladder()->on_devices &&
                        (e.split() || e.cuda().value_or(0) > 0 || e.opencl().value_or(0) > 0);
             },
         "version {version} is for cores alone"},
        // ---- precision
        {{"--sloppy-drop"}, !sloppy, "of iterations in lower precision: see --sloppy"},
        {{"--sloppy"},
         sloppy && [](A a) { return a.method.precision() != Precision::f64; },
         "the solve itself is in single precision: use --precision double"},
        {{"--sloppy"}, plain && sloppy, "the engine {engine} computes in one precision"},
        {{"--sloppy"},
         half && minimal_links,
         "links of 8 reals are none in 16 bits: use --links 12 or 18"},
        // ---- the method
        {{"--restart", "--precondition", "--domain"},
         !gcr && (preconditioned || domain || [](A a) { return a.method.restart().has_value(); }),
         "of --solver gcr, which is flexible, not of {solver}"},
        {{"--solver"}, gcr && plain, "the engine {engine} has no gcr"},
        {{"--sloppy"}, gcr && half, "gcr has no 16 bits: use --sloppy single"},
        {{"--domain"}, !preconditioned, "of a preconditioner: see --precondition"},
        {{"--domain"},
         [](A a) {
             const Extents& d = *a.method.domain();
             return std::any_of(d.begin(), d.end(), [](int l) { return l % 2 != 0; });
         },
         "{domain} has an odd extent"},
        {{"--domain"},
         minimal_links,
         "links between domains are 0, which 8 reals cannot hold: use --links 12 or 18"},
        {with_multigrid({}), !multigrid, "of multigrid: see --precondition mg"},
        {{"--domain"},
         multigrid,
         "multigrid acts on the whole lattice: its blocks are --mg-blocks"},
        {{"--links"},
         multigrid && minimal_links,
         "links between blocks of multigrid are set to 0, which 8 reals cannot hold: use --links "
         "12 or 18"},
        {{"--precondition"}, multigrid && by_ranks, "multigrid is for one process so far"},
        {{"--plan"},
         multigrid && plan(PlanKind::linked),
         "multigrid is not for plan linked so far"},
        {{"--precondition"}, preconditioner("schwarz") && !domain, "schwarz needs --domain"},
        {{"--precondition"},
         preconditioner("schwarz") && clover,
         "schwarz has no clover term: use mr with the same --domain"},
        {{"--precondition"},
         preconditioner("cr") && unfit_for_cr,
         "cr needs A - A^dagger = c 1, which gamma5 Dhat with mubar != 0 has not: use --even-odd "
         "off, or another method"},
        {{"--sloppy-drop"}, preconditioned, "with --precondition only that is in lower precision"},
        {{"--mubar"},
         unfit_for_cr && [](A a) { return a.method.solver() == Method::cr; },
         "solver cr needs A - A^dagger = c 1, which gamma5 Dhat with mubar != 0 has not: use "
         "--even-odd off, or --solver cg, bicgstab or gcr"},
        {{"--source"},
         solver(Method::bicgstab) && !even_odd &&
             [](A a) { return a.problem.source().starts_with("point:"); },
         "BiCGstab breaks down on a single point where D acts on all sites (b is orthogonal to the "
         "residual after one step): use --even-odd on, or --solver cr or cg"},
        // ---- several right-hand sides
        {{"--rhs"}, several && plain, "--engine {engine} solves for one right-hand side"},
        {{"--rhs"}, several && version, "version {version} solves for one right-hand side"},
        {{"--rhs"}, several && seeds_wrap, "the last seed of {source} is above 2^64-1"},
        // ---- how it is executed
        {{"--tiles", "--sched", "--sched-lib", "--cuda", "--opencl", "--gpu-memory", "--plan",
          "--split", "--trace", "--trace-fxt", "--report", "--links", "--cores-per-worker",
          "--ladder", "--multiple"},
         plain,
         "--engine {engine} runs without StarPU and has none"},
        {{"--cpus"},
         [](A a) {
             return a.execution.engine() == Engine::sequential &&
                    a.execution.cpus().value_or(1) != 1;
         },
         "--engine sequential runs on one core"},
        {{"--cpus"},
         [](A a) { return a.execution.engine() == Engine::openmp && a.execution.cpus() == 0; },
         "--engine openmp needs a thread"},
        {{"--sched"}, [](A a) { return a.execution.sched().empty(); }, "empty"},
        {{""},
         [](A a) {
             return a.execution.cpus() == 0 && a.execution.cuda() == 0 && a.execution.opencl() == 0;
         },
         "--cpus 0 --cuda 0 --opencl 0 leaves no worker"},
        {{"--checkpoint", "--resume"}, plain, "--engine {engine} has no checkpoints"},
        {{"--checkpoint", "--resume"},
         version,
         "version {version} of the ladder has no checkpoints"},
        {{"--checkpoint", "--resume"}, gcr, "--solver gcr has no checkpoints in files"},
        {{"--checkpoint", "--resume"},
         sloppy,
         "a solve in two precisions (--sloppy) has no checkpoints"},
        {{"--checkpoint", "--resume"},
         [](A a) { return a.execution.repeat() > 1; },
         "of one solve, not of {repeat} (--repeat)"},
        {{"--resume"}, guess, "a checkpoint has its own x, in place of --guess"},
        {{"--checkpoint-every"}, !checkpoint, "without --checkpoint it means nothing"},
        {{"--save-schedule"}, !replayed, "schedules are those of --plan replay"},
        {{"--solution-basis", "--solution-phases"},
         !solution_file,
         "without --save-solution it means nothing"},
        {{"--json", "--trace", "--trace-fxt", "--report", "--save-gauge", "--save-solution",
          "--save-schedule", "--mg-save", "--checkpoint"},
         [](A a) { return a.s.output.dry_run(); },
         "with --dry-run nothing is computed or written"},
        // ---- of several ranks
        {{"--engine", "--trace-fxt", "--ladder", "--split"},
         by_ranks,
         "is of one process (without mpirun)"},
        {{"--cores-per-worker"}, by_ranks && teams, "is of one process (without mpirun)"},
        // ---- what a simulated solve does not do
        {{"--plan"},
         simulated && batches,
         "tasks of many operations are not simulated: graph or pinned"},
        {{"--sched-lib"},
         simulated,
         "a library is for the StarPU that it was built with, and the simulator has its own"},
        {{"--split"}, simulated, "slabs of devices and cores are not simulated"},
        {{"--cores-per-worker"}, simulated && teams, "workers of several cores are not simulated"},
        {{"--ladder", "--multiple"}, simulated, "versions of the ladder are not simulated"},
        {{"--sloppy", "--sloppy-drop"},
         simulated && (sloppy || [](A a) { return a.method.sloppy_drop().has_value(); }),
         "updates follow from residuals, which are not simulated"},
        {with_multigrid({"--precondition"}), simulated && multigrid, "multigrid is not simulated"},
        {{"--rhs"}, simulated && several, "several right-hand sides are not simulated"},
        {{"--engine"}, simulated && plain, "plain loops are not simulated"},
        {{"--source-number", "--basis", "--phases"},
         simulated,
         "the spinors of a source are not simulated"},
        {{"--tol", "--max-iterations"}, simulated, "not simulated: so many --iterations are"},
    };
}
const std::vector<Rule>& rules()
{
    static const std::vector<Rule> all = made_rules();
    return all;
}

std::string filled_in(std::string_view sentence, const Asked& a)
{
    const auto text = [&](std::string_view option) {
        const Field<RunSpec>& f = run_field(option);
        return f.print(a.s);
    };
    return fmt::format(fmt::runtime(sentence), fmt::arg("engine", text("--engine")),
                       fmt::arg("version", text("--ladder")),
                       fmt::arg("solver", to_string(a.method.solver().value_or(Method::cr))),
                       fmt::arg("gauge", qcd::quoted(a.problem.gauge())),
                       fmt::arg("source", qcd::quoted(a.problem.source())),
                       fmt::arg("plan", text("--plan")), fmt::arg("tiles", text("--tiles")),
                       fmt::arg("domain", text("--domain")), fmt::arg("links", text("--links")),
                       fmt::arg("repeat", a.execution.repeat()));
}

/// Adds the options that differ from their defaults, which cases of a comparison have set.
Given with_values(Given given, const RunSpec& s)
{
    for (const Field<RunSpec>& f : run_fields())
        if (!f.is_default(s)) given.insert(f.name());
    return given;
}

} // namespace

void require_possible(const RunSpec& s, const Given& typed, Asker asker)
{
    const ReadRecord::Pause pause;
    const Given given = with_values(typed, s);
    const Asked a{s, asker};
    for (const Rule& rule : rules()) {
        std::vector<std::string> named;
        for (const std::string_view option : rule.options)
            if (option.empty() || given.contains(option)) named.emplace_back(option);
        if (named.empty() || !rule.broken.holds(a)) continue;
        const std::string sentence = filled_in(rule.sentence, a);
        if (named.front().empty()) throw Error(sentence);
        if (named.front() == "--plan" && a.execution.plan())
            named.front() += " " + run_field("--plan").print(s);
        const bool of_ranks = sentence.starts_with("is ");
        throw Error("{}{}{} {}", of_ranks ? "mpirun: " : "", fmt::join(named, ", "),
                    of_ranks ? "" : ":", sentence);
    }
    if (a.method.domain() && a.problem.lattice()) Domains(*a.problem.lattice(), *a.method.domain());
}

RunSpec completed(RunSpec s, std::string* note)
{
    const ReadRecord::Pause pause;
    MethodSpec& m = s.method;
    if (m.ladder()) m.links = LinkStorage::full;
    if (!m.even_odd()) m.even_odd = !m.ladder();
    if (!m.solver()) {
        const bool unfit = *m.even_odd() && s.problem.mubar() != 0;
        m.solver = unfit ? Method::bicgstab : Method::cr;
        if (unfit && note)
            *note = "solver bicgstab: cr is not for --mubar with --even-odd on (--solver chooses)";
    }
    if (!m.tolerance()) m.tolerance = m.precision() == Precision::f64 ? 1e-10 : 1e-4;
    if (!m.max_iterations()) m.max_iterations = default_max_iterations;
    // A cycle of multigrid need not be exact.
    if (is_multigrid(m) && !m.sloppy() && m.precision() == Precision::f64)
        m.sloppy = Precision::f32;
    if (m.sloppy() && !m.sloppy_drop() && !m.precondition())
        m.sloppy_drop = default_sloppy_drop(*m.sloppy());
    if (m.solver() == Method::gcr && !m.restart())
        m.restart = is_multigrid(m) ? most_restart : default_restart;
    if (m.ladder() && m.ladder()->full_groups && !m.multiple()) m.multiple = default_multiple;
    if (!s.execution.rhs()) s.execution.rhs = 1;
    return s;
}

std::string gauge_file(const ProblemSpec& p)
{
    return is_generated(p.gauge()) ? std::string() : p.gauge();
}

cli::OptionFiles with_outputs(cli::OptionFiles files, const RunSpec& s)
{
    const OutputSpec& o = s.output;
    const cli::OptionFiles outputs{{"--save-gauge", o.save_gauge()},
                                   {"--save-schedule", o.save_schedule()},
                                   {"--mg-save", o.mg_save()},
                                   {"--save-solution", o.save_solution()},
                                   {"--checkpoint", s.execution.checkpoint()},
                                   {"--json", o.json()},
                                   {"--report", o.report()}};
    files.insert(files.end(), outputs.begin(), outputs.end());
    const auto add_folder = [&](const char* option, const std::string& folder, const auto& names) {
        files.emplace_back(option, folder);
        if (folder.empty()) return;
        for (const char* name : names) files.emplace_back(option, fs::path(folder) / name);
        files.emplace_back(option, fs::path(folder) / unfinished_name);
    };
    add_folder("--trace", o.trace(), trace_files);
    add_folder("--trace-fxt", o.trace_fxt(), fxt_files);
    return files;
}

void keep_apart(const RunSpec& s, const std::string& config_file, cli::OptionFiles read,
                cli::OptionFiles written)
{
    const ProblemSpec& p = s.problem;
    read.insert(read.end(), {{"--gauge", gauge_file(p)},
                             {"--source", is_generated_source(p.source()) ? "" : p.source()},
                             {"--guess", p.guess()},
                             {"--resume", s.execution.resume()}});
    if (const auto& plan = s.execution.plan()) read.emplace_back("--plan replay", plan->file);
    written.insert(written.begin(), {"--config", config_file});
    written = with_outputs(std::move(written), s);
    cli::check_different(written);
    for (const auto& input : read) {
        cli::OptionFiles with_it{input};
        for (const auto& output : written) // a checkpoint may replace the one that is resumed
            if (input.first != "--resume" || output.first != "--checkpoint")
                with_it.push_back(output);
        cli::check_different(with_it);
    }
}

void require_files(const RunSpec& s, const Given& given, const std::string& config_file)
{
    using namespace cli;
    const ProblemSpec& p = s.problem;
    const OutputSpec& o = s.output;
    if (!is_generated(p.gauge())) check_readable("--gauge", p.gauge());
    if (!is_generated_source(p.source())) check_readable("--source", p.source());
    for (const auto& [option, file] : OptionFiles{{"--guess", p.guess()},
                                                  {"--resume", s.execution.resume()},
                                                  {"--mg-load", s.method.mg_load()},
                                                  {"--sched-lib", s.execution.sched_lib()}})
        if (!file.empty() || given.contains(option)) check_readable(option, file);
    for (const auto& [option, file] : OptionFiles{{"--save-gauge", o.save_gauge()},
                                                  {"--save-solution", o.save_solution()},
                                                  {"--save-schedule", o.save_schedule()},
                                                  {"--mg-save", o.mg_save()},
                                                  {"--checkpoint", s.execution.checkpoint()},
                                                  {"--report", o.report()}})
        if (!file.empty() || given.contains(option)) check_writable(option, file);
    if (!o.json().empty() || given.contains("--json")) check_output("--json", o.json());
    for (const auto& [option, folder] :
         OptionFiles{{"--trace", o.trace()}, {"--trace-fxt", o.trace_fxt()}})
        if (!folder.empty() || given.contains(option)) check_folder(option, folder);
    if (const auto& plan = s.execution.plan(); plan && !plan->file.empty())
        check_readable("--plan replay", plan->file);
    keep_apart(s, config_file);
}

} // namespace qcd
