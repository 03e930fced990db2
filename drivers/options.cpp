#include "drivers/options.hpp"

#include "drivers/argument_checks.hpp"
#include "drivers/parser.hpp"
#include "drivers/version.hpp"

#include <cmath>

namespace qcd::cli
{

namespace
{

const Words<Engine> engines{
    {"starpu", Engine::starpu}, {"sequential", Engine::sequential}, {"openmp", Engine::openmp}};
const Words<Method> methods{{"cr", Method::cr}, {"cg", Method::cg}, {"bicgstab", Method::bicgstab}};
const Words<Precision> precisions{{"double", Precision::f64}, {"single", Precision::f32}};
const Words<std::vector<Precision>> precision_sets{{"both", {Precision::f64, Precision::f32}},
                                                   {"double", {Precision::f64}},
                                                   {"single", {Precision::f32}}};
const Words<bool> on_off{{"on", true}, {"off", false}};
const Words<bool> boundaries{{"antiperiodic", true}, {"periodic", false}};

// ---- groups of options; each has its finish_...() below for what needs several options

void add_problem(Parser& app, ProblemOptions& o)
{
    app.option_defaults()->group("Problem");
    const auto parse_lattice = [&o](const std::string& text) {
        o.lattice = parse_extents(text, "--lattice");
        require_lattice(*o.lattice, "--lattice");
    };
    app.add_option_function<std::string>(
           "--lattice", parse_lattice,
           "sites in x, y, z and t, all even; a gauge file says it by itself")
        ->type_name("XxYxZxT");
    app.add_option(
           "--gauge", o.gauge,
           "gauge field: unit, random:SEED, weak:EPS[,SEED], gen:SEED,W, or an ILDG or NERSC file")
        ->type_name("FIELD|FILE")
        ->capture_default_str();
    app.add_option("--save-gauge", o.save_gauge, "write the gauge field to this file, too")
        ->type_name("FILE");
    const auto above_minus_4 = real([](double m) { return m > -4; }, "a finite number above -4");
    const auto positive = real([](double k) { return k > 0; }, "a finite number above 0");
    CLI::Option* mass = app.add_option("--mass", o.mass, "bare quark mass m; kappa = 1/(2(m+4))")
                            ->type_name("M")
                            ->check(above_minus_4)
                            ->capture_default_str();
    app.add_option("--kappa", o.kappa, "hopping parameter, in place of --mass")
        ->type_name("K")
        ->check(positive)
        ->excludes(mass);
    app.add_option("--mubar", o.mubar, "twisted mass, 2 kappa mu: D + i mubar gamma5")
        ->type_name("MU")
        ->check(real([](double) { return true; }, "a finite number"))
        ->capture_default_str();
    add_choice(app, "--boundary", o.antiperiodic, boundaries, "boundary condition in t");
    app.add_option("--source", o.source,
                   "right-hand side: det:SEED, random:SEED or point:x,y,z,t,spin,colour")
        ->type_name("SOURCE")
        ->capture_default_str();
}

void add_machine(Parser& app, MachineOptions& o)
{
    app.option_defaults()->group("Machine");
    const auto parse_tiles = [&o](const std::string& text) {
        o.tiles = text == "auto" ? std::nullopt : std::optional(parse_extents(text, "--tiles"));
    };
    app.add_option_function<std::string>("--tiles", parse_tiles, "number of tiles per direction")
        ->type_name("XxYxZxT|auto")
        ->default_str("auto");
    app.add_option("--sched", o.sched, "StarPU's scheduling policy: lws, dmdas, eager, ...")
        ->type_name("NAME");
    const CLI::Validator workers = whole(0, 4096);
    app.add_option("--cpus", o.cpus, "CPU workers; threads of --engine openmp")
        ->type_name("N")
        ->check(workers);
    app.add_option("--cuda", o.cuda, "CUDA workers")->type_name("N")->check(workers);
    app.add_option("--opencl", o.opencl, "OpenCL workers")->type_name("N")->check(workers);
}

void add_engine(Parser& app, Engine& engine)
{
    app.option_defaults()->group("Machine");
    add_choice(app, "--engine", engine, engines, "StarPU's tasks, or plain loops to compare with");
}

void add_batch(Parser& app, std::optional<int>& batch)
{
    app.option_defaults()->group("Machine");
    app.add_option_function<std::string>(
           "--batch", [&batch](const std::string& text) { batch = parse_batch(text); },
           "iterations per task; auto: several where one GPU has the whole lattice")
        ->type_name("auto|off|N")
        ->default_str("auto");
}

void add_json(Parser& app, OutputOptions& o)
{
    app.option_defaults()->group("Output");
    app.add_option("--json", o.json, "write the result to this file as JSON")->type_name("FILE");
}

void add_output(Parser& app, OutputOptions& o)
{
    add_json(app, o);
    app.add_flag("--quiet", o.quiet, "no text on stdout, no progress line");
}

void finish_problem(const Parser& app, ProblemOptions& o)
{
    if (app.given("--kappa"))
        o.mass = 1 / (2 * o.kappa) - 4;
    else
        o.kappa = 1 / (2 * (o.mass + 4));
    if (!std::isfinite(o.mass) || !std::isfinite(o.kappa) || o.kappa == 0)
        throw Error("--kappa, --mass: kappa = 1/(2(m+4)) leaves the range of floating point");
    if (!is_generated(o.gauge))
        check_readable("--gauge", o.gauge);
    else if (!o.lattice)
        throw Error(fmt::format("--lattice XxYxZxT is needed with --gauge {}", o.gauge));
    if (o.source.empty()) throw Error("--source: empty");
    if (app.given("--save-gauge")) check_writable("--save-gauge", o.save_gauge);
}

void finish_machine(const Parser& app, const MachineOptions& o, Engine engine)
{
    if (engine != Engine::starpu)
        for (const char* option :
             {"--tiles", "--sched", "--cuda", "--opencl", "--batch", "--trace"})
            if (app.given(option))
                throw Error(fmt::format("{}: --engine {} runs without StarPU and has none", option,
                                        to_string(engine)));
    if (engine == Engine::sequential && o.cpus.value_or(1) != 1)
        throw Error("--cpus: --engine sequential runs on one core");
    if (engine == Engine::openmp && o.cpus == 0)
        throw Error("--cpus: --engine openmp needs a thread");
    if (app.given("--sched") && o.sched.empty()) throw Error("--sched: empty");
    if (o.cpus == 0 && o.cuda == 0 && o.opencl == 0)
        throw Error("--cpus 0 --cuda 0 --opencl 0 leaves no worker");
}

void finish_output(const Parser& app, const OutputOptions& o)
{
    if (app.given("--json")) check_writable("--json", o.json);
    if (app.given("--trace")) check_folder("--trace", o.trace);
}

// ---- commands

using Arguments = std::vector<std::string>;

constexpr long most = 1000000000; // iterations or repetitions

Command parse_solve(const Arguments& arguments)
{
    SolveOptions o;
    Parser app("solve", "Solve D x = b and verify the answer.");
    add_problem(app, o.problem);
    app.option_defaults()->group("Method");
    add_choice(
        app, "--solver", o.method, methods,
        "conjugate residuals on gamma5 D, conjugate gradients on D^dagger D, or BiCGstab on D");
    add_choice(app, "--even-odd", o.even_odd, on_off,
               "solve on the even sites, reconstruct the odd ones");
    add_choice(app, "--precision", o.precision, precisions, "of fields and arithmetic");
    app.add_option("--tol", o.tolerance, "relative residual |b - D x|/|b| to reach")
        ->type_name("TOL")
        ->check(real([](double t) { return t > 0 && t < 1; }, "a number between 0 and 1"))
        ->default_str("1e-10");
    CLI::Option* limit =
        app.add_option("--max-iterations", o.max_iterations, "give up after N iterations")
            ->type_name("N")
            ->check(whole(1, most))
            ->capture_default_str();
    app.add_option("--iterations", o.iterations,
                   "exactly N iterations, no convergence test: for timing")
        ->type_name("N")
        ->check(whole(1, most))
        ->excludes(limit);
    app.add_option("--repeat", o.repeat, "solve N times, report the times of all")
        ->type_name("N")
        ->check(whole(1, most))
        ->capture_default_str();
    add_engine(app, o.engine);
    add_machine(app, o.machine);
    add_batch(app, o.batch);
    add_output(app, o.output);
    app.add_option("--trace", o.output.trace,
                   "record the solve: paje.trace (for ViTE) and profile.txt here")
        ->type_name("DIR");
    if (const auto text = app.run(arguments)) return *text;
    finish_problem(app, o.problem);
    finish_machine(app, o.machine, o.engine);
    finish_output(app, o.output);
    return o;
}

Command parse_apply(const Arguments& arguments)
{
    ApplyOptions o;
    Parser app(
        "apply",
        "Apply H, D, gamma5 D, D^dagger D and Dhat to the source; print norms and inner products.");
    add_problem(app, o.problem);
    app.option_defaults()->group("Method");
    add_choice(app, "--precision", o.precision, precisions, "of fields and arithmetic");
    add_engine(app, o.engine);
    add_machine(app, o.machine);
    add_output(app, o.output);
    if (const auto text = app.run(arguments)) return *text;
    finish_problem(app, o.problem);
    finish_machine(app, o.machine, o.engine);
    finish_output(app, o.output);
    return o;
}

Command parse_bench(const Arguments& arguments)
{
    BenchOptions o{.lattices = {},
                   .ops = {},
                   .precisions = {Precision::f64, Precision::f32},
                   .machine = {},
                   .output = {}};
    std::vector<std::string> lattices{"8x8x8x16", "16x16x16x32", "24x24x24x48"};
    Parser app("bench", "Verify and time every operation on every kind of worker present.");
    app.option_defaults()->group("Benchmark");
    app.add_option("--lattice", lattices, "lattices, joined by commas")
        ->type_name("XxYxZxT,...")
        ->delimiter(',')
        ->default_str(fmt::format("{}", fmt::join(lattices, ",")));
    app.add_option("--ops", o.ops, "only operations whose name contains one of these")
        ->type_name("NAME,...")
        ->delimiter(',');
    add_choice(app, "--precision", o.precisions, precision_sets, "of fields and arithmetic");
    app.add_option("--repeat", o.repeat, "time each operation N times, report the median")
        ->type_name("N")
        ->check(whole(1, most))
        ->capture_default_str();
    add_machine(app, o.machine);
    add_output(app, o.output);
    if (const auto text = app.run(arguments)) return *text;
    for (const std::string& lattice : lattices) {
        o.lattices.push_back(parse_extents(lattice, "--lattice"));
        require_lattice(o.lattices.back(), "--lattice");
    }
    finish_machine(app, o.machine, Engine::starpu);
    finish_output(app, o.output);
    return o;
}

Command parse_info(const Arguments& arguments)
{
    InfoOptions o;
    Parser app("info", "Print what this machine and this build can do, and what is missing.");
    add_json(app, o.output);
    if (const auto text = app.run(arguments)) return *text;
    finish_output(app, o.output);
    return o;
}

struct CommandEntry {
    std::string_view name, summary;
    Command (*parse)(const Arguments&);
};
constexpr CommandEntry commands[]{
    {"solve", "solve D x = b and verify the answer (the default)", parse_solve},
    {"apply", "apply the operators to a source; print norms and inner products", parse_apply},
    {"info", "what this machine and this build can do", parse_info},
    {"bench", "time every operation on every kind of worker", parse_bench},
};

Text overview()
{
    std::string text = version_line() +
                       "\nLattice QCD: solves D x = b for the Wilson-Dirac matrix as a graph of "
                       "StarPU tasks over lattice tiles.\n\n"
                       "Usage: qcd_starpu [COMMAND] [OPTIONS]\n\nCommands:\n";
    for (const CommandEntry& c : commands) text += fmt::format("  {:<8}{}\n", c.name, c.summary);
    text += "  qcd_starpu COMMAND --help lists the options of a command.\n"
            "\nExit status: 0 converged and verified; 1 not converged; 2 bad usage or bad input;\n"
            "  3 verification failed; 4 an asked-for device or feature is missing.\n\n";
    return {text + std::get<Text>(parse_solve({"--help"})).text};
}

} // namespace

std::string_view to_string(Engine e) { return word_of(engines, e); }
std::string_view to_string(Method m) { return word_of(methods, m); }
std::string_view to_string(Precision p) { return word_of(precisions, p); }

bool is_generated(std::string_view gauge)
{
    const std::string_view name = gauge.substr(0, gauge.find(':'));
    return name == "unit" || name == "random" || name == "weak" || name == "gen";
}

Command parse(const Arguments& arguments)
{
    if (arguments.empty()) return parse_solve(arguments);
    const std::string& first = arguments.front();
    if (first == "--help" || first == "-h" || first == "help") return overview();
    if (!first.empty() && first.front() == '-') return parse_solve(arguments);
    for (const CommandEntry& c : commands)
        if (c.name == first) return c.parse({arguments.begin() + 1, arguments.end()});
    throw Error(fmt::format("there is no command {}: solve, apply, info and bench are",
                            qcd::quoted(first)));
}

std::string version_line()
{
    const std::string_view revision = git_revision();
    return fmt::format("qcd_starpu {}{}", version(),
                       revision.empty() ? "" : fmt::format(" (git {})", revision));
}

} // namespace qcd::cli
