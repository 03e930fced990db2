#include "drivers/spec/run_fields.hpp"

#include "lattice/files/spinor_file.hpp"
#include "solver/method.hpp"

#include <array>
#include <cctype>
#include <cmath>

namespace qcd
{

namespace
{

const Words<Engine> engines{
    {"starpu", Engine::starpu}, {"sequential", Engine::sequential}, {"openmp", Engine::openmp}};
const Words<Method> methods{
    {"cr", Method::cr}, {"cg", Method::cg}, {"bicgstab", Method::bicgstab}, {"gcr", Method::gcr}};
const Words<Precision> precision_words{{"double", Precision::f64}, {"single", Precision::f32}};
const Words<Precision> lower_precisions{{"single", Precision::f32}, {"half", Precision::f16}};
const Words<LinkStorage> storages{
    {"18", LinkStorage::full}, {"12", LinkStorage::two_rows}, {"8", LinkStorage::minimal}};
const Words<bool> on_off{{"on", true}, {"off", false}};
const Words<bool> boundaries{{"antiperiodic", true}, {"periodic", false}};
const Words<SpinBasis> bases{{"degrand-rossi", SpinBasis::degrand_rossi},
                             {"dirac", SpinBasis::dirac},
                             {"chiral", SpinBasis::chiral}};
const Words<BoundaryPhases> phases{{"boundary", BoundaryPhases::boundary},
                                   {"spread", BoundaryPhases::spread}};
const Words<PlanKind> plans{{"graph", PlanKind::graph},
                            {"pinned", PlanKind::pinned},
                            {"batch", PlanKind::batch},
                            {"linked", PlanKind::linked}};
constexpr std::array<std::string_view, 6> preconditioners{"schwarz",  "mr", "gcr",
                                                          "bicgstab", "cr", "cg"};

Codec<Extents> lattice_codec()
{
    return {[](const std::string& text, const std::string& option) {
                const Extents l = parse_extents(text, option);
                require_lattice(l, option);
                return l;
            },
            [](const Extents& l) { return to_string(l); }, "XxYxZxT"};
}

Codec<Theta> theta_codec()
{
    return {[](const std::string& text, const std::string& option) {
                const auto theta = parse_theta(text);
                if (!theta)
                    throw Error(fmt::format("{}: {} is not four numbers X,Y,Z,T, in units of pi",
                                            option, qcd::quoted(text)));
                return *theta;
            },
            [](const Theta& t) { return fmt::format("{}", fmt::join(t, ",")); }, "X,Y,Z,T"};
}

Codec<PreconditionerChoice> preconditioner_codec()
{
    static constexpr int most = 1000;
    const auto parse = [](const std::string& text, const std::string& option) {
        const std::size_t colon = text.find(':');
        PreconditionerChoice c{.method = text.substr(0, colon)};
        const std::optional<int> n =
            colon == text.npos ? c.iterations : parse_number<int>(text.substr(colon + 1));
        const auto& words = preconditioners;
        if (std::find(words.begin(), words.end(), c.method) == words.end() || !n || *n < 1 ||
            *n > most)
            throw Error(fmt::format("{}: {} is none of {}, with :N behind it for N iterations, 1 "
                                    "to {}",
                                    option, qcd::quoted(text), fmt::join(words, ", "), most));
        c.iterations = *n;
        return c;
    };
    return {
        parse,
        [](const PreconditionerChoice& c) { return fmt::format("{}:{}", c.method, c.iterations); },
        fmt::format("{}[:N]", fmt::join(preconditioners, "|"))};
}

Codec<PlanChoice> plan_kinds()
{
    const auto parse = [](const std::string& text, const std::string& option) {
        const std::string name = text.substr(0, text.find(':'));
        const auto found = std::find_if(plans.begin(), plans.end(),
                                        [&](const auto& w) { return w.first == name; });
        if (found == plans.end())
            throw Error(fmt::format("{}: {} is none of auto, graph, pinned, batch, linked", option,
                                    qcd::quoted(text)));
        PlanChoice choice{found->second, {}};
        if (name == text) return choice;
        if (choice.kind == PlanKind::graph || choice.kind == PlanKind::pinned)
            throw Error(fmt::format("{}: {}: a task of plan {} is one operation", option,
                                    qcd::quoted(text), name));
        choice.iterations = parse_number<int>(text.substr(name.size() + 1));
        if (!choice.iterations || *choice.iterations < 1 || *choice.iterations > max_batch)
            throw Error(fmt::format("{}: {}: iterations of a task are 1 to {}", option,
                                    qcd::quoted(text), max_batch));
        return choice;
    };
    return {parse,
            [](const PlanChoice& c) {
                return c.iterations ? fmt::format("{}:{}", to_string(c.kind), *c.iterations)
                                    : to_string(c.kind);
            },
            "graph|pinned|batch[:N]|linked[:N]"};
}

/// A number, or "auto" for none.
template <class Number>
Codec<std::optional<Number>> number_or_auto(Number low, Number high, std::string type)
{
    return {
        [low, high](const std::string& text, const std::string& option) -> std::optional<Number> {
            if (text == "auto") return std::nullopt;
            const std::optional<Number> n = parse_number<Number>(text);
            if (!n || !(*n >= low && *n <= high))
                throw Error(fmt::format("{}: {} is none of auto, {} to {}", option,
                                        qcd::quoted(text), low, high));
            return n;
        },
        [](const std::optional<Number>& n) { return n ? fmt::format("{}", *n) : "auto"; },
        std::move(type)};
}

Codec<std::optional<Split>> split_codec()
{
    const auto share = number_or_auto(0.0, 1.0, "");
    return {[share](const std::string& text, const std::string& option) -> std::optional<Split> {
                if (text == "none") return std::nullopt;
                return Split{share.parse(text, option)};
            },
            [share](const std::optional<Split>& s) { return s ? share.print(s->devices) : "none"; },
            "auto|FRACTION|none"};
}

/// "500", "30s", "10min" or "2h".
Codec<CheckpointInterval> interval_codec()
{
    const auto parse = [](const std::string& text, const std::string& option) {
        const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
        const auto number = parse_number<int>(text.substr(0, digits));
        const std::string unit = text.substr(digits);
        const int seconds = unit.empty()    ? 0
                            : unit == "s"   ? 1
                            : unit == "min" ? 60
                            : unit == "h"   ? 3600
                                            : -1;
        constexpr int most = 1000000;
        if (!number || *number < 1 || *number > most || seconds < 0)
            throw Error(fmt::format("{}: {} is neither a number of iterations nor a time such as "
                                    "30s, 10min or 2h",
                                    option, qcd::quoted(text)));
        if (seconds == 0) return CheckpointInterval{.iterations = *number, .time = {}};
        return CheckpointInterval{.time = std::chrono::seconds(long(seconds) * *number)};
    };
    return {parse,
            [](const CheckpointInterval& i) {
                return i.iterations > 0 ? std::to_string(i.iterations)
                                        : fmt::format("{}s", i.time.count());
            },
            "N|TIME"};
}

const auto above_minus_4 =
    real_number([](double m) { return m > -4; }, "a finite number above -4", "M");
const auto positive = real_number([](double k) { return k > 0; }, "a finite number above 0", "K");

/// Its square is a number.
Codec<double> moderate(const char* type)
{
    return real_number([](double x) { return std::abs(x) <= 1e100; }, "a number of at most 1e100",
                       type);
}

Fields<RunSpec> fields_of_problem()
{
    constexpr const char* group = "Problem";
    constexpr Role role = Role::identity;
    constexpr auto advanced = Audience::advanced;
    constexpr int last_spinor = most_spinors_of_file - 1; // its number
    const auto spinor = or_none(whole_number(0, last_spinor));
    using S = RunSpec;
    return {
        field<S>(QCD_AT(problem.lattice), or_none(lattice_codec()),
                 {"--lattice", group,
                  "sites in x, y, z and t, all even; a gauge file says it by itself", role}),
        field<S>(
            QCD_AT(problem.gauge), text("FIELD|FILE"),
            always_printed(
                {"--gauge,--load-gauge", group,
                 "gauge field: unit, random:SEED, weak:EPS[,SEED], gen:SEED,W, or a gauge file",
                 role})),
        flag<S>(QCD_AT(problem.reunitarize),
                {"--reunitarize", group,
                 "project the links of a gauge file to SU(3), and take links of single accuracy",
                 role, advanced}),
        field<S>(QCD_AT(problem.mass), or_none(above_minus_4),
                 {"--mass", group, "bare quark mass m; kappa = 1/(2(m+4))", role,
                  Audience::everyday, "-0.15"}),
        field<S>(QCD_AT(problem.kappa), or_none(positive),
                 excluding({"--mass"},
                           {"--kappa", group, "hopping parameter, in place of --mass", role})),
        field<S>(QCD_AT(problem.mubar), moderate("MU"),
                 {"--mubar", group, "twisted mass, 2 kappa mu: D + i mubar gamma5", role}),
        field<S>(
            QCD_AT(problem.csw), moderate("C"),
            {"--csw", group, "clover term: D + i kappa csw sum_{mu<nu} sigma_munu F_munu", role}),
        field<S>(QCD_AT(problem.antiperiodic), one_of(boundaries),
                 {"--boundary", group, "boundary condition in t", role}),
        field<S>(
            QCD_AT(problem.theta), theta_codec(),
            {"--theta", group,
             "twisted boundary, besides: psi(x + L) = exp(i pi theta) psi(x) in each direction",
             role, advanced}),
        field<S>(
            QCD_AT(problem.source), text("SOURCE|FILE"),
            always_printed({"--source", group,
                            "right-hand side: random:SEED, det:SEED, point:x,y,z,t,spin,colour, "
                            "wall:t,spin,colour, timeslice:t[,SEED], or a file of spinors",
                            role})),
        field<S>(QCD_AT(problem.source_number), spinor,
                 {"--source-number", group, "which of the spinors in its file, from 0 on", role,
                  advanced}),
        field<S>(QCD_AT(problem.basis), or_none(one_of(bases)),
                 {"--basis", group, "spin basis of files of spinors that do not say it", role,
                  advanced, "that of their format"}),
        field<S>(QCD_AT(problem.phases), or_none(one_of(phases)),
                 {"--phases", group,
                  "boundary phases of files of spinors that do not say it: at the boundary, or "
                  "spread over all links, as tmLQCD has them",
                  role, advanced, "that of their format"}),
    };
}

Fields<RunSpec> fields_of_method()
{
    constexpr const char* group = "Method";
    constexpr Role role = Role::identity;
    constexpr auto advanced = Audience::advanced;
    const auto iterations = or_none(whole_number(1, most_repetitions));
    using S = RunSpec;
    return {
        field<S>(QCD_AT(method.solver), or_none(one_of(methods)),
                 {"--solver", group,
                  "conjugate residuals on gamma5 D, conjugate gradients on D^dagger D, BiCGstab on "
                  "D, or generalised conjugate residuals on D",
                  role, Audience::everyday, "cr; bicgstab where that is not for the problem"}),
        field<S>(QCD_AT(method.even_odd), or_none(one_of(on_off)),
                 {"--even-odd", group, "solve on the even sites, reconstruct the odd ones", role,
                  Audience::everyday, "on"}),
        field<S>(QCD_AT(method.stencil), version_codec(),
                 {"--stencil", group,
                  "the solver of the study of 2013 with a version of its kernels; auto: today's",
                  role, advanced}),
        field<S>(QCD_AT(method.multiple), or_none(multiple_codec()),
                 {"--multiple", group,
                  "sites of a work group on devices, in versions 1.2 and later", role, advanced,
                  std::to_string(default_multiple)}),
        field<S>(QCD_AT(method.precision), one_of(precision_words),
                 always_printed({"--precision,--prec", group, "of fields and arithmetic", role})),
        field<S>(QCD_AT(execution.rhs), or_none(whole_number(1, most_rhs)),
                 {"--rhs", group,
                  "right-hand sides solved together: of seeds one after the other, or the "
                  "components of point:x,y,z,t or wall:t",
                  Role::execution, Audience::everyday, "1"}),
        field<S>(QCD_AT(method.sloppy), or_none(one_of(lower_precisions), "off"),
                 {"--sloppy", group,
                  "lower precision for the iterations, half: 16 bits of fixed point; the residual "
                  "is kept in double",
                  role}),
        field<S>(QCD_AT(method.sloppy_drop),
                 or_none(real_number([](double d) { return d > 1e-6 && d < 1; },
                                     "a number between 1e-6 and 1", "D")),
                 {"--sloppy-drop", group,
                  "compute the residual in double where it has fallen by this factor", role,
                  advanced,
                  fmt::format("{}, in half {}", default_sloppy_drop(Precision::f32),
                              default_sloppy_drop(Precision::f16))}),
        field<S>(QCD_AT(method.restart), or_none(whole_number(1, most_restart, "K")),
                 {"--restart", group, "of gcr: directions after which it begins anew", role,
                  advanced, std::to_string(default_restart)}),
        field<S>(QCD_AT(method.precondition), or_none(preconditioner_codec(), "off"),
                 {"--precondition", group,
                  "of gcr: so many iterations of a method, in the precision of --sloppy; schwarz: "
                  "steps of relaxation in domains",
                  role, advanced}),
        field<S>(QCD_AT(method.domain), or_none(extents()),
                 {"--domain", group,
                  "of the preconditioner: it acts in blocks of this size, each alone (additive "
                  "Schwarz)",
                  role, advanced, "the lattice"}),
        field<S>(QCD_AT(method.tolerance),
                 or_none(real_number([](double t) { return t > 0 && t < 1; },
                                     "a number between 0 and 1", "TOL")),
                 {"--tol", group,
                  "|b - D x|/|b| to reach, recomputed from x in double on all sites", role,
                  Audience::everyday, "1e-10, in single precision 1e-4"}),
        field<S>(QCD_AT(method.max_iterations), iterations,
                 {"--max-iterations", group, "give up after N iterations", Role::execution,
                  Audience::everyday, std::to_string(default_max_iterations)}),
        field<S>(QCD_AT(method.iterations), iterations,
                 excluding({"--tol", "--max-iterations"},
                           {"--iterations,--niter", group,
                            "exactly N iterations, no convergence test: for timing", role})),
        field<S>(QCD_AT(execution.repeat), whole_number(1, most_repetitions),
                 {"--repeat", group, "solve N times, report the times of all", Role::execution}),
        field<S>(QCD_AT(problem.guess), text("FILE"),
                 {"--guess", "Problem", "begin with the spinor of this file, not with x = 0", role,
                  advanced}),
        field<S>(
            QCD_AT(problem.guess_number), or_none(whole_number(0, most_spinors_of_file - 1)),
            {"--guess-number", "Problem", "which of the spinors in it, from 0 on", role, advanced}),
        field<S>(QCD_AT(method.links), links_codec(),
                 {"--links,--recon", group,
                  "reals that a link is stored in; 12, 8: less to read, links must be in SU(3); "
                  "auto: 12 where that changes no bit, else 18",
                  role}),
    };
}

Fields<RunSpec> fields_of_execution()
{
    constexpr const char* group = "Machine";
    constexpr Role role = Role::execution;
    constexpr auto advanced = Audience::advanced;
    const auto workers = or_none(whole_number(0, 4096));
    using S = RunSpec;
    return {
        field<S>(
            QCD_AT(execution.engine), one_of(engines),
            {"--engine", group, "StarPU's tasks, or plain loops to compare with", role, advanced}),
        field<S>(QCD_AT(execution.plan), plan_codec(),
                 {"--plan", group,
                  "how it is executed: tasks of one operation placed by StarPU's scheduler or by "
                  "the tile's worker, or of up to N iterations on one worker or on GPUs that "
                  "exchange faces themselves",
                  role}),
        field<S>(
            QCD_AT(execution.split), split_codec(),
            excluding(
                {"--tiles", "--sched"},
                {"--split", group,
                 "devices and cores together: the devices' share of the sites; auto: by measured "
                 "rates",
                 role})), // each slab has its worker
        field<S>(QCD_AT(execution.tiles), or_none(extents(), "auto"),
                 {"--tiles", group, "number of tiles per direction", role, Audience::everyday, "",
                  "XxYxZxT|auto"}),
        field<S>(QCD_AT(execution.sched), text("NAME"),
                 {"--sched", group, "StarPU's scheduling policy: lws, dmdas, eager, ...", role,
                  Audience::everyday, "lws on cores, dmdas with devices"}),
        field<S>(QCD_AT(execution.cpus), workers,
                 {"--cpus", group, "CPU workers; threads of --engine openmp", role,
                  Audience::everyday, "all cores; none with GPUs"}),
        field<S>(QCD_AT(execution.cores_per_worker), number_or_auto(1, 4096, "N|auto"),
                 {"--cores-per-worker", group, "cores that each CPU worker computes a task with",
                  role, advanced}),
        field<S>(QCD_AT(execution.cuda), workers,
                 {"--cuda", group, "CUDA workers", role, Audience::everyday,
                  "as many GPUs as shorten the solve"}),
        field<S>(QCD_AT(execution.opencl), workers,
                 {"--opencl", group, "OpenCL workers", role, Audience::everyday, "0"}),
        field<S>(QCD_AT(execution.gpu_memory), or_none(memory()),
                 {"--gpu-memory", group,
                  "use at most this much of each GPU's memory; the rest of the data waits in the "
                  "host's",
                  role, advanced}),
        field<S>(QCD_AT(execution.checkpoint), text("FILE"),
                 {"--checkpoint", "Output",
                  "write the state of the solve to this file again and again, on SIGUSR1, which "
                  "ends it, and where it ends without a solution",
                  role, advanced}),
        field<S>(QCD_AT(execution.checkpoint_every), or_none(interval_codec()),
                 {"--checkpoint-every", "Output",
                  "how often: iterations, or a time such as 30s, 10min or 2h", role, advanced,
                  "10min"}),
        field<S>(QCD_AT(execution.resume), text("FILE"),
                 {"--resume", "Problem", "go on from such a file, on whatever workers and tiles",
                  role, advanced}),
    };
}

Fields<RunSpec> fields_of_output()
{
    constexpr const char* group = "Output";
    constexpr Role role = Role::output;
    constexpr auto advanced = Audience::advanced;
    using S = RunSpec;
    return {
        field<S>(QCD_AT(output.json), text("FILE|-"),
                 {"--json", group,
                  "write the result to this file as JSON; -: to stdout, text to stderr", role}),
        flag<S>(QCD_AT(output.quiet),
                {"--quiet", group, "no text on stdout, no progress line", role}),
        flag<S>(QCD_AT(output.verbose), {"--verbose,-v", group, "StarPU's warnings, too", role}),
        field<S>(QCD_AT(output.trace), folder(),
                 {"--trace", group,
                  "record the solve here: paje.trace (ViTE), trace.json (Perfetto), tasks.csv, "
                  "profile.txt; qcd_starpu trace reads it",
                  role}),
        field<S>(QCD_AT(output.trace_fxt), folder(),
                 {"--trace-fxt", group,
                  "record it here by StarPU's FxT, for StarPU's tools: fxt_0, tasks.rec, dag.dot",
                  role, advanced}),
        field<S>(QCD_AT(output.report), text("FILE.html"),
                 {"--report", group,
                  "a page for the browser: what ran, the answer, and where the time went", role}),
        field<S>(
            QCD_AT(output.save_gauge), text("FILE"),
            {"--save-gauge", group, "write the gauge field to this file, too", role, advanced}),
        field<S>(QCD_AT(output.save_solution), text("FILE"),
                 {"--save-solution", group,
                  "write x to this file: HDF5 if it ends in .h5 or .hdf5, else SciDAC", role}),
        field<S>(QCD_AT(output.solution_basis), or_none(one_of(bases)),
                 {"--solution-basis", group, "its spin basis", role, advanced, "degrand-rossi"}),
        field<S>(QCD_AT(output.solution_phases), or_none(one_of(phases)),
                 {"--solution-phases", group,
                  "where its boundary phases are: at the boundary, or spread over all links", role,
                  advanced, "boundary"}),
        flag<S>(QCD_AT(output.dry_run),
                {"--dry-run", group, "print plan, command, memory and tasks an iteration, and end",
                 role}),
    };
}

/// As a shell reads it back.
std::string shell_word(const std::string& text)
{
    const auto plain = [](unsigned char c) {
        return std::isalnum(c) || std::string_view("_./:,=+-@%").find(char(c)) != std::string::npos;
    };
    if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

} // namespace

double mass_of(const ProblemSpec& p)
{
    constexpr double usual = -0.15;
    return p.kappa() ? 1 / (2 * *p.kappa()) - 4 : p.mass().value_or(usual);
}
double kappa_of(const ProblemSpec& p)
{
    return p.kappa() ? *p.kappa() : 1 / (2 * (mass_of(p) + 4));
}

std::string_view to_string(Engine e) { return word_of(engines, e); }
std::string_view to_string(Method m) { return word_of(methods, m); }
std::string_view to_string(Precision p)
{
    return p == Precision::f16 ? word_of(lower_precisions, p) : word_of(precision_words, p);
}

Codec<Precision> precision_codec() { return one_of(precision_words); }
Codec<std::optional<LinkStorage>> links_codec() { return or_none(one_of(storages), "auto"); }
Codec<std::optional<PlanChoice>> plan_codec() { return or_none(plan_kinds(), "auto"); }
Codec<BoundaryPhases> written_phases_codec() { return one_of(phases); }

Codec<const StudyVersion*> version_codec()
{
    const auto parse = [](const std::string& text,
                          const std::string& option) -> const StudyVersion* {
        if (text == "auto") return nullptr;
        std::vector<std::string_view> names{"auto"};
        for (const StudyVersion& v : study_versions) {
            if (v.name == text) return &v;
            names.push_back(v.name);
        }
        throw Error(
            fmt::format("{}: {} is none of {}", option, qcd::quoted(text), fmt::join(names, ", ")));
    };
    return {parse, [](const StudyVersion* v) { return std::string(v ? v->name : "auto"); },
            "auto|VERSION"};
}

Codec<int> multiple_codec()
{
    const auto parse = [](const std::string& text, const std::string& option) {
        const std::optional<int> n = parse_number<int>(text);
        const auto& all = study_multiples;
        if (!n || std::find(all.begin(), all.end(), *n) == all.end())
            throw Error(fmt::format("{}: {} is none of {}", option, qcd::quoted(text),
                                    fmt::join(all, ", ")));
        return *n;
    };
    return {parse, [](int n) { return std::to_string(n); },
            fmt::format("{}", fmt::join(study_multiples, "|"))};
}

const Fields<RunSpec>& run_fields()
{
    static const Fields<RunSpec> fields = [] {
        Fields<RunSpec> all = fields_of_problem();
        for (const Fields<RunSpec>& more :
             {fields_of_method(), fields_of_execution(), fields_of_output()})
            all.insert(all.end(), more.begin(), more.end());
        return all;
    }();
    return fields;
}

const Field<RunSpec>& run_field(std::string_view name)
{
    for (const Field<RunSpec>& f : run_fields())
        if (f.name() == name) return f;
    throw Error(fmt::format("a run has no option {}", name));
}

RunSpec with(RunSpec s, std::string_view key, const std::string& text)
{
    run_field(fmt::format("--{}", key)).parse(s, text);
    return s;
}

std::vector<std::string> typed_words(const RunSpec& s,
                                     const std::function<bool(const FieldFacts&)>& wanted)
{
    std::vector<std::string> words;
    for (const Field<RunSpec>& f : run_fields()) {
        if (!wanted(f) || (f.is_default(s) && !f.always_printed)) continue;
        words.push_back(f.name());
        if (!f.flag) words.push_back(f.print(s));
    }
    return words;
}

std::string typed(const RunSpec& s, std::initializer_list<Role> roles,
                  const std::vector<std::string>& without)
{
    std::vector<std::string> words = typed_words(s, [&](const FieldFacts& f) {
        return std::find(roles.begin(), roles.end(), f.role) != roles.end() &&
               std::find(without.begin(), without.end(), f.name()) == without.end();
    });
    for (std::string& word : words) word = shell_word(word);
    return fmt::format("{}", fmt::join(words, " "));
}

std::vector<std::string> asked_of(const RunSpec& s)
{
    std::vector<std::string> asked;
    for (const Field<RunSpec>& f : run_fields())
        if (f.role != Role::output && !f.is_default(s))
            asked.push_back(f.flag ? f.name() : fmt::format("{} {}", f.name(), f.print(s)));
    return asked;
}

std::map<std::string, std::string> identity_of(const RunSpec& s)
{
    std::map<std::string, std::string> key;
    for (const Field<RunSpec>& f : run_fields())
        if (f.role == Role::identity) key[f.name().substr(2)] = f.print(s);
    return key;
}

} // namespace qcd
