#include "drivers/spec/rules.hpp"

#include "drivers/spec/run_fields.hpp"
#include "lattice/gauge_source.hpp"
#include "lattice/spinor_source.hpp"
#include "program/cli/argument_checks.hpp"
#include "tasks/domains.hpp"
#include "traces/trace_folder.hpp"

#include <cmath>
#include <filesystem>

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

    bool plain() const { return execution.engine() != Engine::starpu; }
    bool version() const { return method.stencil() != nullptr; }
    bool is(Method m) const { return method.solver().value_or(Method::cr) == m; }
    bool even_odd() const { return method.even_odd().value_or(!version()); }
    bool clover() const { return problem.csw() != 0; }
    bool is(PlanKind k) const { return execution.plan() && execution.plan()->kind == k; }
    bool preconditioned_by(std::string_view word) const
    {
        return method.precondition() && method.precondition()->method == word;
    }
    bool several() const { return execution.rhs().value_or(1) > 1; }
    bool minimal_links() const { return method.links() == LinkStorage::minimal; }
    /// gamma5 Dhat with mubar != 0 is not A - A^dagger = c 1, which CR needs.
    bool unfit_for_cr() const { return even_odd() && problem.mubar() != 0; }
};

/// Where some of the options are given (or "": always) and `broken`: an error, "OPTIONS: sentence".
/// In the sentence {engine}, {version}, {solver}, {gauge}, {source}, {plan}, {tiles}, {repeat} stand
/// for what was asked.
struct Rule {
    std::vector<std::string_view> options;
    bool (*broken)(const Asked&);
    std::string_view sentence;
};

using A = const Asked&;

const std::vector<Rule>& rules()
{
    static const std::vector<Rule> all{
        // ---- the problem
        {{"--kappa", "--mass"},
         [](A a) {
             const double k = kappa_of(a.problem);
             return !std::isfinite(mass_of(a.problem)) || !std::isfinite(k) || k == 0;
         },
         "kappa = 1/(2(m+4)) leaves the range of floating point"},
        {{""},
         [](A a) { return !a.problem.lattice() && is_generated(a.problem.gauge()); },
         "--lattice XxYxZxT is needed with --gauge {gauge}"},
        {{"--theta"},
         [](A a) {
             return is_twisted(a.problem.theta()) &&
                    a.method.links().value_or(LinkStorage::full) != LinkStorage::full;
         },
         "links of {links} reals are in SU(3), and hold no phase: use --links 18"},
        {{"--reunitarize"},
         [](A a) { return is_generated(a.problem.gauge()); },
         "for gauge files, and {gauge} is generated"},
        {{"--source"}, [](A a) { return a.problem.source().empty(); }, "empty"},
        {{"--source-number"},
         [](A a) { return is_generated_source(a.problem.source()); },
         "for files, and {source} is generated"},
        {{"--basis", "--phases"},
         [](A a) { return is_generated_source(a.problem.source()) && a.problem.guess().empty(); },
         "for files of spinors, and {source} is generated"},
        {{"--guess"}, [](A a) { return a.plain(); }, "--engine {engine} begins with 0"},
        {{"--guess"}, [](A a) { return a.version(); }, "version {version} begins with x = 0"},
        {{"--guess-number"},
         [](A a) { return a.problem.guess().empty(); },
         "without --guess it means nothing"},
        {{"--csw"},
         [](A a) { return a.plain() && a.clover(); },
         "--engine {engine} has no clover term"},
        {{"--csw"},
         [](A a) { return a.version() && a.clover(); },
         "version {version} has no clover term"},
        // ---- versions of the study of 2013
        {{"--multiple"},
         [](A a) { return !a.version(); },
         "of versions of the study: see --stencil"},
        {{"--multiple"},
         [](A a) { return !a.method.stencil()->full_groups; },
         "version {version} has no choice of sites in a work group"},
        {{"--even-odd"},
         [](A a) { return a.version() && a.even_odd(); },
         "version {version} acts on all sites: use --even-odd off"},
        {{"--links"},
         [](A a) {
             return a.version() &&
                    a.method.links().value_or(LinkStorage::full) != LinkStorage::full;
         },
         "version {version} stores all 18 reals of a link"},
        {{"--stencil"},
         [](A a) { return a.version() && !a.is(Method::cr); },
         "version {version} is of conjugate residuals: use --solver cr"},
        {{"--sloppy"},
         [](A a) { return a.version() && a.method.sloppy(); },
         "version {version} computes in one precision"},
        {{"--tiles"},
         [](A a) {
             const auto& t = a.execution.tiles();
             return a.version() && t && ((*t)[0] > 1 || (*t)[1] > 1 || (*t)[2] > 1);
         },
         "version {version} has slabs in t, 1x1x1xN, not {tiles}"},
        {{"--plan"},
         [](A a) { return a.version() && (a.is(PlanKind::batch) || a.is(PlanKind::linked)); },
         "version {version} runs by plan graph or pinned"},
        {{"--stencil"},
         [](A a) {
             return a.version() && !a.method.stencil()->on_devices &&
                    (a.execution.split() || a.execution.cuda().value_or(0) > 0 ||
                     a.execution.opencl().value_or(0) > 0);
         },
         "version {version} is for cores alone"},
        // ---- precision
        {{"--sloppy-drop"},
         [](A a) { return !a.method.sloppy(); },
         "of iterations in lower precision: see --sloppy"},
        {{"--sloppy"},
         [](A a) { return a.method.sloppy() && a.method.precision() != Precision::f64; },
         "the solve itself is in single precision: use --precision double"},
        {{"--sloppy"},
         [](A a) { return a.plain() && a.method.sloppy(); },
         "the engine {engine} computes in one precision"},
        {{"--sloppy"},
         [](A a) { return a.method.sloppy() == Precision::f16 && a.minimal_links(); },
         "links of 8 reals are none in 16 bits: use --links 12 or 18"},
        // ---- the method
        {{"--restart", "--precondition", "--domain"},
         [](A a) {
             const MethodSpec& m = a.method;
             return !a.is(Method::gcr) && (m.restart() || m.precondition() || m.domain());
         },
         "of --solver gcr, which is flexible, not of {solver}"},
        {{"--solver"},
         [](A a) { return a.is(Method::gcr) && a.plain(); },
         "the engine {engine} has no gcr"},
        {{"--sloppy"},
         [](A a) { return a.is(Method::gcr) && a.method.sloppy() == Precision::f16; },
         "gcr has no 16 bits: use --sloppy single"},
        {{"--domain"},
         [](A a) { return !a.method.precondition(); },
         "of a preconditioner: see --precondition"},
        {{"--domain"},
         [](A a) {
             const Extents& d = *a.method.domain();
             return std::any_of(d.begin(), d.end(), [](int l) { return l % 2 != 0; });
         },
         "{domain} has an odd extent"},
        {{"--domain"},
         [](A a) { return a.minimal_links(); },
         "links between domains are 0, which 8 reals cannot hold: use --links 12 or 18"},
        {{"--precondition"},
         [](A a) { return a.preconditioned_by("schwarz") && !a.method.domain(); },
         "schwarz needs --domain"},
        {{"--precondition"},
         [](A a) { return a.preconditioned_by("schwarz") && a.clover(); },
         "schwarz has no clover term: use mr with the same --domain"},
        {{"--precondition"},
         [](A a) { return a.preconditioned_by("cr") && a.unfit_for_cr(); },
         "cr needs A - A^dagger = c 1, which gamma5 Dhat with mubar != 0 has not: use --even-odd "
         "off, or another method"},
        {{"--sloppy-drop"},
         [](A a) { return a.method.precondition().has_value(); },
         "with --precondition only that is in lower precision"},
        {{"--mubar"},
         [](A a) { return a.method.solver() == Method::cr && a.unfit_for_cr(); },
         "solver cr needs A - A^dagger = c 1, which gamma5 Dhat with mubar != 0 has not: use "
         "--even-odd off, or --solver cg, bicgstab or gcr"},
        {{"--source"},
         [](A a) {
             return a.is(Method::bicgstab) && !a.even_odd() &&
                    a.problem.source().starts_with("point:");
         },
         "BiCGstab breaks down on a single point where D acts on all sites (b is orthogonal to the "
         "residual after one step): use --even-odd on, or --solver cr or cg"},
        // ---- several right-hand sides
        {{"--rhs"},
         [](A a) { return a.several() && a.plain(); },
         "--engine {engine} solves for one right-hand side"},
        {{"--rhs"},
         [](A a) { return a.several() && a.version(); },
         "version {version} solves for one right-hand side"},
        {{"--rhs"},
         [](A a) { return a.several() && a.is(Method::gcr); },
         "solver gcr has one right-hand side"},
        {{"--rhs"},
         [](A a) { return a.several() && a.method.sloppy() && a.method.iterations(); },
         "in two precisions it is to a tolerance, not for --iterations"},
        {{"--rhs"},
         [](A a) { return a.several() && a.is(PlanKind::linked); },
         "linked workers have one right-hand side"},
        {{"--rhs"},
         [](A a) { return a.several() && !a.problem.guess().empty(); },
         "--guess is of one right-hand side"},
        {{"--rhs"},
         [](A a) { return a.several() && !a.s.output.save_solution().empty(); },
         "--save-solution is of one right-hand side"},
        {{"--rhs"},
         [](A a) { return a.several() && !a.execution.checkpoint().empty(); },
         "--checkpoint is of one right-hand side"},
        {{"--rhs"},
         [](A a) { return a.several() && !a.execution.resume().empty(); },
         "--resume is of one right-hand side"},
        {{"--rhs"},
         [](A a) { return a.several() && a.execution.split(); },
         "--split is of one right-hand side"},
        // ---- how it is executed
        {{"--tiles", "--sched", "--cuda", "--opencl", "--gpu-memory", "--plan", "--split",
          "--trace", "--trace-fxt", "--report", "--links", "--cores-per-worker", "--stencil",
          "--multiple"},
         [](A a) { return a.plain(); },
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
        {{"--checkpoint", "--resume"},
         [](A a) { return a.plain(); },
         "--engine {engine} has no checkpoints"},
        {{"--checkpoint", "--resume"},
         [](A a) { return a.version(); },
         "version {version} of the study has no checkpoints"},
        {{"--checkpoint", "--resume"},
         [](A a) { return a.is(Method::gcr); },
         "--solver gcr has no checkpoints in files"},
        {{"--checkpoint", "--resume"},
         [](A a) { return a.method.sloppy().has_value(); },
         "a solve in two precisions (--sloppy) has no checkpoints"},
        {{"--checkpoint", "--resume"},
         [](A a) { return a.execution.repeat() > 1; },
         "of one solve, not of {repeat} (--repeat)"},
        {{"--resume"},
         [](A a) { return !a.problem.guess().empty(); },
         "a checkpoint has its own x, in place of --guess"},
        {{"--checkpoint-every"},
         [](A a) { return a.execution.checkpoint().empty(); },
         "without --checkpoint it means nothing"},
        {{"--solution-basis", "--solution-phases"},
         [](A a) { return a.s.output.save_solution().empty(); },
         "without --save-solution it means nothing"},
        {{"--json", "--trace", "--trace-fxt", "--report", "--save-gauge", "--save-solution",
          "--checkpoint"},
         [](A a) { return a.s.output.dry_run(); },
         "with --dry-run nothing is computed or written"},
        // ---- of several ranks
        {{"--engine", "--trace-fxt", "--stencil", "--split"},
         [](A a) { return a.asker == Asker::ranks; },
         "is of one process (without mpirun)"},
        {{"--cores-per-worker"},
         [](A a) {
             return a.asker == Asker::ranks && a.execution.cores_per_worker().value_or(1) > 1;
         },
         "is of one process (without mpirun)"},
        {{"--rhs"},
         [](A a) { return a.asker == Asker::ranks && a.several(); },
         "ranks have one right-hand side"},
        // ---- what a simulated solve does not do
        {{"--plan"},
         [](A a) {
             return a.asker == Asker::simulation &&
                    (a.is(PlanKind::batch) || a.is(PlanKind::linked));
         },
         "tasks of many operations are not simulated: graph or pinned"},
        {{"--split"},
         [](A a) { return a.asker == Asker::simulation; },
         "slabs of devices and cores are not simulated"},
        {{"--cores-per-worker"},
         [](A a) {
             return a.asker == Asker::simulation && a.execution.cores_per_worker().value_or(1) > 1;
         },
         "workers of several cores are not simulated"},
        {{"--stencil", "--multiple"},
         [](A a) { return a.asker == Asker::simulation; },
         "versions of the study are not simulated"},
        {{"--sloppy", "--sloppy-drop"},
         [](A a) {
             return a.asker == Asker::simulation && (a.method.sloppy() || a.method.sloppy_drop());
         },
         "updates follow from residuals, which are not simulated"},
        {{"--rhs"},
         [](A a) { return a.asker == Asker::simulation && a.several(); },
         "several right-hand sides are not simulated"},
        {{"--engine"},
         [](A a) { return a.asker == Asker::simulation && a.plain(); },
         "plain loops are not simulated"},
        {{"--source-number", "--basis", "--phases"},
         [](A a) { return a.asker == Asker::simulation; },
         "the spinors of a source are not simulated"},
        {{"--tol", "--max-iterations"},
         [](A a) { return a.asker == Asker::simulation; },
         "not simulated: so many --iterations are"},
    };
    return all;
}

std::string filled_in(std::string_view sentence, const Asked& a)
{
    const auto text = [&](std::string_view option) {
        const Field<RunSpec>& f = run_field(option);
        return f.print(a.s);
    };
    return fmt::format(fmt::runtime(sentence), fmt::arg("engine", text("--engine")),
                       fmt::arg("version", text("--stencil")),
                       fmt::arg("solver", to_string(a.method.solver().value_or(Method::cr))),
                       fmt::arg("gauge", qcd::quoted(a.problem.gauge())),
                       fmt::arg("source", qcd::quoted(a.problem.source())),
                       fmt::arg("plan", text("--plan")), fmt::arg("tiles", text("--tiles")),
                       fmt::arg("domain", text("--domain")), fmt::arg("links", text("--links")),
                       fmt::arg("repeat", a.execution.repeat()));
}

/// With what differs from the default, as of cases of a comparison.
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
        if (named.empty() || !rule.broken(a)) continue;
        const std::string sentence = filled_in(rule.sentence, a);
        if (named.front().empty()) throw Error(sentence);
        if (named.front() == "--plan" && a.execution.plan())
            named.front() += " " + run_field("--plan").print(s);
        const bool of_ranks = sentence.starts_with("is ");
        throw Error(fmt::format("{}{}{} {}", of_ranks ? "mpirun: " : "", fmt::join(named, ", "),
                                of_ranks ? "" : ":", sentence));
    }
    if (a.method.domain() && a.problem.lattice()) Domains(*a.problem.lattice(), *a.method.domain());
}

RunSpec completed(RunSpec s, std::string* note)
{
    const ReadRecord::Pause pause;
    MethodSpec& m = s.method;
    if (m.stencil()) m.links = LinkStorage::full;
    if (!m.even_odd()) m.even_odd = !m.stencil();
    if (!m.solver()) {
        const bool unfit = *m.even_odd() && s.problem.mubar() != 0;
        m.solver = unfit ? Method::bicgstab : Method::cr;
        if (unfit && note)
            *note = "solver bicgstab: cr is not for --mubar with --even-odd on (--solver chooses)";
    }
    if (!m.tolerance()) m.tolerance = m.precision() == Precision::f64 ? 1e-10 : 1e-4;
    if (!m.max_iterations()) m.max_iterations = default_max_iterations;
    if (m.sloppy() && !m.sloppy_drop() && !m.precondition())
        m.sloppy_drop = default_sloppy_drop(*m.sloppy());
    if (m.solver() == Method::gcr && !m.restart()) m.restart = default_restart;
    if (m.stencil() && m.stencil()->full_groups && !m.multiple()) m.multiple = default_multiple;
    if (!s.execution.rhs()) s.execution.rhs = 1;
    return s;
}

cli::OptionFiles with_outputs(cli::OptionFiles files, const OutputSpec& o)
{
    files.emplace_back("--json", o.json());
    files.emplace_back("--report", o.report());
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

void require_files(const RunSpec& s, const Given& given, const std::string& config_file)
{
    using namespace cli;
    const ProblemSpec& p = s.problem;
    const OutputSpec& o = s.output;
    const std::string gauge = is_generated(p.gauge()) ? "" : p.gauge(),
                      source = is_generated_source(p.source()) ? "" : p.source();
    if (!is_generated(p.gauge())) check_readable("--gauge", p.gauge());
    if (!is_generated_source(p.source())) check_readable("--source", p.source());
    for (const auto& [option, file] :
         OptionFiles{{"--guess", p.guess()}, {"--resume", s.execution.resume()}})
        if (!file.empty() || given.contains(option)) check_readable(option, file);
    for (const auto& [option, file] : OptionFiles{{"--save-gauge", o.save_gauge()},
                                                  {"--save-solution", o.save_solution()},
                                                  {"--checkpoint", s.execution.checkpoint()},
                                                  {"--report", o.report()}})
        if (!file.empty() || given.contains(option)) check_writable(option, file);
    if (!o.json().empty() || given.contains("--json")) check_output("--json", o.json());
    for (const auto& [option, folder] :
         OptionFiles{{"--trace", o.trace()}, {"--trace-fxt", o.trace_fxt()}})
        if (!folder.empty() || given.contains(option)) check_folder(option, folder);
    const OptionFiles written = with_outputs({{"--config", config_file},
                                              {"--save-gauge", o.save_gauge()},
                                              {"--save-solution", o.save_solution()}},
                                             o);
    const auto keep_apart = [&](OptionFiles files) {
        files.insert(files.end(), written.begin(), written.end());
        check_different(files);
    };
    keep_apart({{"--resume", s.execution.resume()}}); // the checkpoint may replace it
    for (const auto& input :
         OptionFiles{{"--gauge", gauge}, {"--source", source}, {"--guess", p.guess()}})
        keep_apart({input, {"--checkpoint", s.execution.checkpoint()}});
}

} // namespace qcd
