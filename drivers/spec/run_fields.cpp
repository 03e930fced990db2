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
                            {"linked", PlanKind::linked},
                            {"replay", PlanKind::replay}};
constexpr std::array<std::string_view, 7> preconditioners{"mg",       "schwarz", "mr", "gcr",
                                                          "bicgstab", "cr",      "cg"};

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
    return codec<Theta>(
        parse_theta, "is not four numbers X,Y,Z,T, in units of pi",
        [](const Theta& t) { return fmt::format("{}", fmt::join(t, ",")); }, "X,Y,Z,T");
}

Codec<PreconditionerChoice> preconditioner_codec()
{
    static constexpr int most = 1000;
    const auto read = [](const std::string& text) -> std::optional<PreconditionerChoice> {
        const std::size_t colon = text.find(':');
        PreconditionerChoice c{.method = text.substr(0, colon)};
        if (c.method == "mg") c.iterations = MultigridParameters{}.smoothing;
        if (colon != text.npos)
            c.iterations = parse_number<int>(text.substr(colon + 1)).value_or(0);
        const auto& words = preconditioners;
        const bool known = std::find(words.begin(), words.end(), c.method) != words.end();
        if (!known || c.iterations < 1 || c.iterations > most) return std::nullopt;
        return c;
    };
    return codec<PreconditionerChoice>(
        read,
        fmt::format("is none of {}, with :N behind it for N iterations, 1 to {}",
                    fmt::join(preconditioners, ", "), most),
        [](const PreconditionerChoice& c) { return fmt::format("{}:{}", c.method, c.iterations); },
        fmt::format("{}[:N]", fmt::join(preconditioners, "|")));
}

/// The blocks of multigrid, for each level but the coarsest one.
Codec<std::vector<Extents>> blocks_codec()
{
    return {[](const std::string& text, const std::string& option) {
                std::vector<Extents> all;
                for (const std::string_view word : split(text, ','))
                    all.push_back(parse_extents(std::string(word), option));
                return all;
            },
            [](const std::vector<Extents>& all) {
                std::vector<std::string> words;
                for (const Extents& e : all) words.push_back(to_string(e));
                return fmt::format("{}", fmt::join(words, ","));
            },
            "XxYxZxT[,XxYxZxT]"};
}

/// How many vectors multigrid may have on a level (codelets/multigrid/level_args.h).
Codec<int> vectors_codec()
{
    const auto read = [](const std::string& text) -> std::optional<int> {
        const auto n = parse_number<int>(text);
        return n == 6 || n == 12 || n == 24 || n == 48 ? n : std::nullopt;
    };
    return codec<int>(
        read, "is none of 6, 12, 24, 48", [](int n) { return std::to_string(n); }, "6|12|24|48");
}

Codec<PlanChoice> plan_kinds()
{
    const auto parse = [](const std::string& text, const std::string& option) {
        const std::string name = text.substr(0, text.find(':'));
        const auto found = std::find_if(plans.begin(), plans.end(),
                                        [&](const auto& w) { return w.first == name; });
        if (found == plans.end())
            throw Error("{}: {} is none of auto, graph, pinned, batch, linked, replay", option,
                        qcd::quoted(text));
        PlanChoice choice{.kind = found->second};
        if (name == text) return choice;
        if (choice.kind == PlanKind::replay) {
            choice.file = text.substr(name.size() + 1);
            if (choice.file.empty()) throw Error(option + ": replay: is without a file behind it");
            return choice;
        }
        if (choice.kind == PlanKind::graph || choice.kind == PlanKind::pinned)
            throw Error("{}: {}: a task of plan {} is one operation", option, qcd::quoted(text),
                        name);
        choice.iterations = parse_number<int>(text.substr(name.size() + 1));
        if (!choice.iterations || *choice.iterations < 1 || *choice.iterations > max_batch)
            throw Error("{}: {}: iterations of a task are 1 to {}", option, qcd::quoted(text),
                        max_batch);
        return choice;
    };
    return {parse,
            [](const PlanChoice& c) {
                return c.iterations      ? fmt::format("{}:{}", to_string(c.kind), *c.iterations)
                       : !c.file.empty() ? fmt::format("{}:{}", to_string(c.kind), c.file)
                                         : to_string(c.kind);
            },
            "graph|pinned|batch[:N]|linked[:N]|replay[:FILE]"};
}

/// A number, or "auto" for none.
template <class Number>
Codec<std::optional<Number>> number_or_auto(Number low, Number high, std::string type)
{
    using Value = std::optional<Number>;
    const auto read = [low, high](const std::string& text) -> std::optional<Value> {
        if (text == "auto") return Value();
        const Value n = parse_number<Number>(text);
        if (!n || !(*n >= low && *n <= high)) return std::nullopt;
        return n;
    };
    return codec<Value>(
        read, fmt::format("is none of auto, {} to {}", low, high),
        [](const Value& n) { return n ? fmt::format("{}", *n) : "auto"; }, std::move(type));
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
    static const Words<int> units{{"", 0}, {"s", 1}, {"min", 60}, {"h", 3600}}; // in seconds
    const auto read = [](const std::string& text) -> std::optional<CheckpointInterval> {
        const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
        const auto number = parse_number<int>(text.substr(0, digits));
        const auto unit = std::find_if(units.begin(), units.end(), [&](const auto& u) {
            return u.first == std::string_view(text).substr(digits);
        });
        constexpr int most = 1000000;
        if (!number || *number < 1 || *number > most || unit == units.end()) return std::nullopt;
        if (unit->second == 0) return CheckpointInterval{.iterations = *number, .time = {}};
        return CheckpointInterval{.time = std::chrono::seconds(long(unit->second) * *number)};
    };
    return codec<CheckpointInterval>(
        read, "is neither a number of iterations nor a time such as 30s, 10min or 2h",
        [](const CheckpointInterval& i) {
            return i.iterations > 0 ? std::to_string(i.iterations)
                                    : fmt::format("{}s", i.time.count());
        },
        "N|TIME");
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
    const Rows<RunSpec> in{"Problem", Role::identity};
    const auto spinor = or_none(whole_number(0, most_spinors_of_file - 1)); // number of a field
    return {
        in(QCD_AT(problem.lattice), or_none(lattice_codec()), "--lattice",
           "sites in x, y, z and t, all even; a gauge file says it by itself", of_session),
        in(QCD_AT(problem.gauge), text("FIELD|FILE"), "--gauge,--load-gauge",
           "gauge field: unit, random:SEED, weak:EPS[,SEED], gen:SEED,W, "
           "quenched:BETA,SEED,SWEEPS, or a gauge file",
           always_printed),
        in.flag(QCD_AT(problem.reunitarize), "--reunitarize",
                "project the links of a gauge file to SU(3), and take links of single accuracy",
                advanced, of_gauge),
        in(QCD_AT(problem.gauge_number), spinor, "--gauge-number",
           "which of the gauge fields in a SciDAC file, from 0 on", advanced, of_gauge),
        Rows<RunSpec>{"Problem", Role::execution}.flag(
            QCD_AT(problem.ignore_checksum), "--ignore-checksum",
            "read files of fields whose checksum is wrong, with a note", advanced, of_gauge,
            of_source),
        in(QCD_AT(problem.mass), or_none(above_minus_4), "--mass",
           "bare quark mass m; kappa = 1/(2(m+4))", by_default("-0.15"), number_of_problem),
        in(QCD_AT(problem.kappa), or_none(positive), "--kappa",
           "hopping parameter, in place of --mass", excluding({"--mass"}), number_of_problem),
        in(QCD_AT(problem.mubar), moderate("MU"), "--mubar",
           "twisted mass, 2 kappa mu: D + i mubar gamma5", number_of_problem),
        in(QCD_AT(problem.csw), moderate("C"), "--csw",
           "clover term: D + i kappa csw sum_{mu<nu} sigma_munu F_munu", of_problem),
        in(QCD_AT(problem.antiperiodic), one_of(boundaries), "--boundary",
           "boundary condition in t", of_problem),
        in(QCD_AT(problem.theta), theta_codec(), "--theta",
           "twisted boundary, besides: psi(x + L) = exp(i pi theta) psi(x) in each direction",
           advanced, of_problem),
        in(QCD_AT(problem.source), text("SOURCE|FILE"), "--source",
           "right-hand side: random:SEED, det:SEED, point:x,y,z,t,spin,colour, wall:t,spin,colour, "
           "timeslice:t[,SEED], or a file of spinors",
           always_printed),
        in(QCD_AT(problem.source_number), spinor, "--source-number",
           "which of the spinors in its file, from 0 on", advanced, of_source),
        in(QCD_AT(problem.basis), or_none(one_of(bases)), "--basis",
           "spin basis of files of spinors that do not say it", advanced, of_source,
           by_default("that of their format")),
        in(QCD_AT(problem.phases), or_none(one_of(phases)), "--phases",
           "boundary phases of files of spinors that do not say it: at the boundary, or spread "
           "over all links, as tmLQCD has them",
           advanced, of_source, by_default("that of their format")),
    };
}

Fields<RunSpec> fields_of_method()
{
    const Rows<RunSpec> in{"Method", Role::identity}, how{"Method", Role::execution},
        from{"Problem", Role::identity};
    const auto iterations = or_none(whole_number(1, most_repetitions));
    return {
        in(QCD_AT(method.solver), or_none(one_of(methods)), "--solver,--method",
           "conjugate residuals on gamma5 D, conjugate gradients on D^dagger D, BiCGstab on D, or "
           "generalised conjugate residuals on D",
           by_default("cr; bicgstab where that is not for the problem"), of_problem),
        in(QCD_AT(method.even_odd), or_none(one_of(on_off)), "--even-odd",
           "solve on the even sites, reconstruct the odd ones", by_default("on"), of_problem),
        in(QCD_AT(method.ladder), version_codec(), "--ladder,--stencil",
           "the solver of the ladder of 2013 with a version of its kernels; auto: today's",
           advanced),
        in(QCD_AT(method.multiple), or_none(multiple_codec()), "--multiple",
           "sites of a work group on devices, in versions 1.2 and later", advanced,
           by_default(std::to_string(default_multiple))),
        in(QCD_AT(method.precision), one_of(precision_words), "--precision,--prec",
           "precision of fields and arithmetic", always_printed, of_session, of_problem),
        how(QCD_AT(execution.rhs), or_none(whole_number(1, most_rhs)), "--rhs",
            "how many right-hand sides are solved together: those of the seeds that follow, the "
            "components of point:x,y,z,t or wall:t, or the spinors of a file that follow",
            by_default("1"), of_problem),
        in(QCD_AT(method.sloppy), or_none(one_of(lower_precisions), "off"), "--sloppy",
           "lower precision for the iterations, half: 16 bits of fixed point; the residual is kept "
           "in double",
           of_problem),
        in(QCD_AT(method.sloppy_drop),
           or_none(real_number([](double d) { return d > 1e-6 && d < 1; },
                               "a number between 1e-6 and 1", "D")),
           "--sloppy-drop", "compute the residual in double where it has fallen by this factor",
           advanced,
           by_default(fmt::format("{}, in half {}", default_sloppy_drop(Precision::f32),
                                  default_sloppy_drop(Precision::f16))),
           of_problem),
        in(QCD_AT(method.restart), or_none(whole_number(1, most_restart, "K")), "--restart",
           "gcr begins anew after this many directions", advanced,
           by_default(fmt::format("{}, with multigrid {}", default_restart, most_restart)),
           of_problem),
        in(QCD_AT(method.precondition), or_none(preconditioner_codec(), "off"), "--precondition",
           "what gcr applies to its residual in each iteration: N iterations of a method, in the "
           "precision of --sloppy; schwarz: N steps of relaxation in each domain; mg: a cycle of "
           "multigrid with N iterations of its smoother",
           advanced, of_problem),
        in(QCD_AT(method.mg_blocks), or_none(blocks_codec()), "--mg-blocks",
           "multigrid: sites that become one of the next coarser level, for each level but the "
           "coarsest",
           advanced, by_default("4x4x4x4, then 2x2x2x2 from 16 sites in each direction on"),
           of_problem),
        in(QCD_AT(method.mg_vectors), or_none(vectors_codec()), "--mg-vectors",
           "multigrid: vectors near the null space that span the next coarser level", advanced,
           by_default(std::to_string(MultigridParameters{}.vectors)), of_problem),
        in(QCD_AT(method.mg_first), or_none(whole_number(1, 1000)), "--mg-first",
           "multigrid: iterations of its smoother on random numbers, by which these vectors "
           "begin",
           advanced, by_default(std::to_string(MultigridParameters{}.first_iterations)),
           of_problem),
        in(QCD_AT(method.mg_setup), or_none(whole_number(0, 100)), "--mg-setup",
           "multigrid: cycles by which each of these vectors is refined", advanced,
           by_default(fmt::format("{}; with --mg-load 0, or 1 if D changed",
                                  MultigridParameters{}.refinements)),
           of_problem),
        in(QCD_AT(method.mg_cycle), or_none(whole_number(1, 1000)), "--mg-cycle",
           "multigrid with three levels: most iterations of gcr on the one between, in a cycle",
           advanced, by_default(std::to_string(MultigridParameters{}.cycle_iterations)),
           of_problem),
        in(QCD_AT(method.mg_coarse), or_none(whole_number(1, 1000)), "--mg-coarse",
           "multigrid: most iterations of gcr on the coarsest level, in a cycle", advanced,
           by_default(std::to_string(MultigridParameters{}.coarse_iterations)), of_problem),
        in(QCD_AT(method.mg_tol),
           or_none(real_number([](double t) { return t > 0 && t < 1; }, "a number between 0 and 1",
                               "D")),
           "--mg-tol", "multigrid: gcr on a coarse level ends where |r| has fallen by this factor",
           advanced, by_default(fmt::format("{}", MultigridParameters{}.coarse_tolerance)),
           of_problem),
        in(QCD_AT(method.mg_load), text("FILE"), "--mg-load",
           "multigrid: begin with the vectors of this file, which --mg-save wrote on the same "
           "gauge field, in place of random numbers",
           advanced),
        in(QCD_AT(method.domain), or_none(extents()), "--domain",
           "the preconditioner acts in blocks of this size, each alone (additive Schwarz)",
           advanced, by_default("the lattice"), of_problem),
        in(QCD_AT(method.tolerance),
           or_none(real_number([](double t) { return t > 0 && t < 1; }, "a number between 0 and 1",
                               "TOL")),
           "--tol", "|b - D x|/|b| to reach, recomputed from x in double on all sites",
           by_default("1e-10, in single precision 1e-4"), number_of_problem),
        how(QCD_AT(method.max_iterations), iterations, "--max-iterations",
            "give up after N iterations", by_default(std::to_string(default_max_iterations)),
            of_problem),
        in(QCD_AT(method.iterations), iterations, "--iterations,--niter",
           "exactly N iterations, no convergence test: for timing",
           excluding({"--tol", "--max-iterations"})),
        how(QCD_AT(execution.repeat), whole_number(1, most_repetitions), "--repeat",
            "solve N times, report the times of all"),
        from(QCD_AT(problem.guess), text("FILE"), "--guess",
             "begin with the spinor of this file, not with x = 0", advanced),
        from(QCD_AT(problem.guess_number), or_none(whole_number(0, most_spinors_of_file - 1)),
             "--guess-number", "which of the spinors in the file of --guess, from 0 on", advanced),
        in(QCD_AT(method.links), links_codec(), "--links,--recon",
           "reals that a link is stored in; 12 and 8 are less to read, for links in SU(3); auto: "
           "12 where that changes no bit, else 18",
           of_problem),
    };
}

Fields<RunSpec> fields_of_execution()
{
    const auto workers = or_none(whole_number(0, 4096));
    const Rows<RunSpec> in{"Machine", Role::execution}, checkpoints{"Output", Role::execution},
        begin{"Problem", Role::execution};
    return {
        in(QCD_AT(execution.engine), one_of(engines), "--engine",
           "StarPU's tasks, or plain loops to compare with", advanced),
        in(QCD_AT(execution.plan), plan_codec(), "--plan",
           "how the run is executed. graph, pinned: a task is one operation, placed by StarPU's "
           "scheduler or by the tile's owner; batch, linked: it is up to N iterations, on one "
           "worker or on GPUs that exchange faces themselves; replay: what StarPU decided for one "
           "iteration, or what FILE has, is executed again and again",
           of_session, of_problem),
        in(QCD_AT(execution.split), split_codec(), "--split",
           "devices and cores together: the devices' share of the sites; auto: by measured rates",
           excluding({"--tiles", "--sched"})), // each slab has its worker
        in(QCD_AT(execution.tiles), or_none(extents(), "auto"), "--tiles",
           "number of tiles per direction", of_type("XxYxZxT|auto"), of_session, of_problem),
        in(QCD_AT(execution.sched), text("NAME"), "--sched",
           "StarPU's scheduling policy: lws, dmdas, eager, ...",
           by_default("lws on cores, dmdas with devices"), of_session),
        in(QCD_AT(execution.sched_lib), text("FILE"), "--sched-lib",
           "shared library with scheduling policies of your own, of which --sched names one",
           advanced, of_session, excluding({"--split"})),
        in(QCD_AT(execution.cpus), workers, "--cpus", "CPU workers",
           by_default("all cores; none with GPUs"), of_session),
        in(QCD_AT(execution.cores_per_worker), number_or_auto(1, 4096, "N|auto"),
           "--cores-per-worker", "cores that each CPU worker computes a task with", advanced,
           of_session),
        in(QCD_AT(execution.cuda), workers, "--cuda", "CUDA workers",
           by_default("as many GPUs as shorten the solve"), of_session),
        in(QCD_AT(execution.opencl), workers, "--opencl", "OpenCL workers", by_default("0"),
           of_session),
        in(QCD_AT(execution.gpu_memory), or_none(memory()), "--gpu-memory",
           "use at most this much of each GPU's memory; the rest of the data waits in the host's",
           advanced, of_session),
        checkpoints(QCD_AT(execution.checkpoint), text("FILE"), "--checkpoint",
                    "write the state of the solve to this file again and again; on SIGUSR1, Ctrl-C "
                    "or SIGTERM, which end the solve; and where it ends without a solution",
                    advanced),
        checkpoints(QCD_AT(execution.checkpoint_every), or_none(interval_codec()),
                    "--checkpoint-every",
                    "how often: iterations, or a time such as 30s, 10min or 2h", advanced,
                    by_default("10min")),
        begin(QCD_AT(execution.resume), text("FILE"), "--resume",
              "go on from a checkpoint, on whatever workers and tiles", advanced),
    };
}

Fields<RunSpec> fields_of_output()
{
    const Rows<RunSpec> in{"Output", Role::output};
    return {
        in(QCD_AT(output.json), text("FILE|-"), "--json",
           "write the result to this file as JSON; -: to stdout, text to stderr"),
        in.flag(QCD_AT(output.quiet), "--quiet", "no text on stdout, no progress line"),
        in.flag(QCD_AT(output.verbose), "--verbose,-v", "print StarPU's warnings, too"),
        in(QCD_AT(output.trace), folder(), "--trace",
           "record the solve here: paje.trace (ViTE), trace.json (Perfetto), tasks.csv, "
           "profile.txt; qcd_starpu trace reads it"),
        in(QCD_AT(output.save_schedule), text("FILE"), "--save-schedule",
           "write what --plan replay has taken down to this file as JSON", advanced),
        in(QCD_AT(output.trace_fxt), folder(), "--trace-fxt",
           "record the solve here by StarPU's FxT, for StarPU's tools: fxt_0, tasks.rec, dag.dot",
           advanced),
        in(QCD_AT(output.report), text("FILE.html"), "--report",
           "a page for the browser: what ran, the answer, and where the time went"),
        in(QCD_AT(output.save_gauge), text("FILE"), "--save-gauge",
           "write the gauge field to this file, too", advanced),
        in(QCD_AT(output.save_solution), text("FILE"), "--save-solution",
           "write x to this file: HDF5 if it ends in .h5 or .hdf5, else SciDAC"),
        in(QCD_AT(output.solution_basis), or_none(one_of(bases)), "--solution-basis",
           "its spin basis", advanced, by_default("degrand-rossi")),
        in(QCD_AT(output.solution_phases), or_none(one_of(phases)), "--solution-phases",
           "where its boundary phases are: at the boundary, or spread over all links", advanced,
           by_default("boundary")),
        in(QCD_AT(output.mg_save), text("FILE"), "--mg-save",
           "write the vectors that multigrid has made to this file, for --mg-load: HDF5 if it ends "
           "in .h5 or .hdf5, else SciDAC",
           advanced),
        in.flag(QCD_AT(output.dry_run), "--dry-run",
                "print plan, command, memory and tasks an iteration, and end"),
    };
}

/// The text as a word that a shell reads back, quoted where it must be.
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

Codec<const LadderVersion*> version_codec()
{
    static const Words<const LadderVersion*> versions = [] {
        Words<const LadderVersion*> all{{"auto", nullptr}};
        for (const LadderVersion& v : ladder_versions) all.emplace_back(v.name, &v);
        return all;
    }();
    Codec<const LadderVersion*> version = one_of(versions);
    version.type = "auto|VERSION";
    return version;
}

Codec<int> multiple_codec()
{
    const auto read = [](const std::string& text) {
        const auto& all = ladder_multiples;
        const std::optional<int> n = parse_number<int>(text);
        return n && std::find(all.begin(), all.end(), *n) != all.end() ? n : std::nullopt;
    };
    return codec<int>(
        read, fmt::format("is none of {}", fmt::join(ladder_multiples, ", ")),
        [](int n) { return std::to_string(n); },
        fmt::format("{}", fmt::join(ladder_multiples, "|")));
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
    throw Error("a run has no option {}", name);
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
