#include "drivers/cli/option_groups.hpp"

#include "lattice/gauge_source.hpp"
#include "lattice/spinor_source.hpp"
#include "lattice/text.hpp"
#include "traces/trace_folder.hpp"

#include <cmath>
#include <filesystem>

namespace fs = std::filesystem;

namespace qcd::cli
{

namespace
{

const Words<Engine> engines{
    {"starpu", Engine::starpu}, {"sequential", Engine::sequential}, {"openmp", Engine::openmp}};
const Words<bool> boundaries{{"antiperiodic", true}, {"periodic", false}};

const Words<std::optional<SpinBasis>> bases{{"degrand-rossi", SpinBasis::degrand_rossi},
                                            {"dirac", SpinBasis::dirac},
                                            {"chiral", SpinBasis::chiral}};
const Words<SpinBasis> solution_bases{{"degrand-rossi", SpinBasis::degrand_rossi},
                                      {"dirac", SpinBasis::dirac},
                                      {"chiral", SpinBasis::chiral}};

const Words<PlanKind> plans{{"graph", PlanKind::graph},
                            {"pinned", PlanKind::pinned},
                            {"batch", PlanKind::batch},
                            {"linked", PlanKind::linked}};

const Words<std::optional<BoundaryPhases>> file_phases{{"boundary", BoundaryPhases::boundary},
                                                       {"spread", BoundaryPhases::spread}};
const Words<BoundaryPhases> solution_phases{{"boundary", BoundaryPhases::boundary},
                                            {"spread", BoundaryPhases::spread}};

Theta theta_of(const std::string& text)
{
    const auto theta = parse_theta(text);
    if (!theta)
        throw Error(fmt::format("--theta: {} is not four numbers X,Y,Z,T, in units of pi",
                                qcd::quoted(text)));
    return *theta;
}

} // namespace

OptionFiles with_outputs(OptionFiles files, const OutputOptions& o)
{
    files.emplace_back("--json", o.json);
    files.emplace_back("--report", o.report);
    const auto add_folder = [&](const char* option, const std::string& folder, const auto& names) {
        files.emplace_back(option, folder);
        if (folder.empty()) return;
        for (const char* name : names) files.emplace_back(option, fs::path(folder) / name);
        files.emplace_back(option, fs::path(folder) / unfinished_name);
    };
    add_folder("--trace", o.trace, trace_files);
    add_folder("--trace-fxt", o.trace_fxt, fxt_files);
    return files;
}

std::string_view to_string(Engine e) { return word_of(engines, e); }

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
    app.add_option("--gauge,--load-gauge", o.gauge,
                   "gauge field: unit, random:SEED, weak:EPS[,SEED], gen:SEED,W, or a gauge file")
        ->type_name("FIELD|FILE")
        ->capture_default_str();
    app.add_flag("--reunitarize", o.reunitarize,
                 "project the links of a gauge file to SU(3), and take links of single accuracy");
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
        ->check(real([](double mu) { return std::abs(mu) <= 1e100; }, // its square is a number
                     "a number of at most 1e100"))
        ->capture_default_str();
    app.add_option("--csw", o.csw, "clover term: D + i kappa csw sum_{mu<nu} sigma_munu F_munu")
        ->type_name("C")
        ->check(real([](double c) { return std::abs(c) <= 1e100; }, "a number of at most 1e100"))
        ->capture_default_str();
    add_choice(app, "--boundary", o.antiperiodic, boundaries, "boundary condition in t");
    app.add_option_function<std::string>(
           "--theta", [&o](const std::string& text) { o.theta = theta_of(text); },
           "twisted boundary, besides: psi(x + L) = exp(i pi theta) psi(x) in each direction")
        ->type_name("X,Y,Z,T")
        ->default_str("0,0,0,0");
    app.add_option("--source", o.source,
                   "right-hand side: random:SEED, det:SEED, point:x,y,z,t,spin,colour, "
                   "wall:t,spin,colour, timeslice:t[,SEED], or a file of spinors")
        ->type_name("SOURCE|FILE")
        ->capture_default_str();
    app.add_option("--source-number", o.source_number,
                   "which of the spinors in its file, from 0 on")
        ->type_name("N")
        ->transform(whole(0, last_spinor));
    add_choice(app, "--basis", o.basis, bases, "spin basis of files of spinors that do not say it");
    add_choice(app, "--phases", o.phases, file_phases,
               "boundary phases of files of spinors that do not say it: at the boundary, or spread "
               "over all links, as tmLQCD has them");
    for (const char* option : {"--basis", "--phases"})
        app.get_option(option)->default_str("that of their format");
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
        ->type_name("NAME")
        ->default_str("lws on cores, dmdas with devices");
    const CLI::Validator workers = whole(0, 4096);
    app.add_option("--cpus", o.cpus, "CPU workers")
        ->type_name("N")
        ->transform(workers)
        ->default_str("all cores; none with GPUs");
    const auto parse_cores = [&o](const std::string& text) {
        o.cores_per_worker = auto_or("--cores-per-worker", text, 1, 4096);
    };
    app.add_option_function<std::string>("--cores-per-worker", parse_cores,
                                         "cores that each CPU worker computes a task with")
        ->type_name("N|auto")
        ->default_str("auto");
    app.add_option("--cuda", o.cuda, "CUDA workers")
        ->type_name("N")
        ->transform(workers)
        ->default_str("all GPUs");
    app.add_option("--opencl", o.opencl, "OpenCL workers")
        ->type_name("N")
        ->transform(workers)
        ->default_str("0");
    add_gpu_memory(app, o);
}

void add_gpu_memory(Parser& app, MachineOptions& o)
{
    app.option_defaults()->group("Machine");
    app.add_option_function<std::string>(
           "--gpu-memory", [&o](const std::string& text) { o.gpu_memory = parse_memory(text); },
           "use at most this much of each GPU's memory; the rest of the data waits in the host's")
        ->type_name("SIZE");
}

void add_engine(Parser& app, Engine& engine)
{
    app.option_defaults()->group("Machine");
    add_choice(app, "--engine", engine, engines, "StarPU's tasks, or plain loops to compare with");
}

void add_split(Parser& app, std::optional<Split>& split)
{
    app.option_defaults()->group("Machine");
    app.add_option_function<std::string>(
           "--split",
           [&split](const std::string& text) { split = {auto_or("--split", text, 0.0, 1.0)}; },
           "devices and cores together: the devices' share of the sites; auto: by measured rates")
        ->type_name("auto|FRACTION")
        ->excludes(app.get_option("--tiles"))
        ->excludes(app.get_option("--sched")); // each slab has its worker
}

std::optional<PlanChoice> parse_plan(const std::string& text)
{
    if (text == "auto") return std::nullopt;
    const std::string name = text.substr(0, text.find(':'));
    const auto found =
        std::find_if(plans.begin(), plans.end(), [&](const auto& w) { return w.first == name; });
    if (found == plans.end())
        throw Error(fmt::format("--plan: {} is none of auto, graph, pinned, batch, linked",
                                qcd::quoted(text)));
    PlanChoice choice{found->second, {}};
    if (name == text) return choice;
    if (choice.kind == PlanKind::graph || choice.kind == PlanKind::pinned)
        throw Error(
            fmt::format("--plan: {}: a task of plan {} is one operation", qcd::quoted(text), name));
    choice.iterations = parse_number<int>(text.substr(name.size() + 1));
    if (!choice.iterations || *choice.iterations < 1 || *choice.iterations > max_batch)
        throw Error(fmt::format("--plan: {}: iterations of a task are 1 to {}", qcd::quoted(text),
                                max_batch));
    return choice;
}

void add_plan(Parser& app, std::optional<PlanChoice>& plan)
{
    app.option_defaults()->group("Machine");
    app.add_option_function<std::string>(
           "--plan", [&plan](const std::string& text) { plan = parse_plan(text); },
           "how it is executed: tasks of one operation placed by StarPU's scheduler or by the "
           "tile's worker, or of up to N iterations on one worker or on GPUs that exchange faces "
           "themselves")
        ->type_name("auto|graph|pinned|batch[:N]|linked[:N]")
        ->default_str("auto");
}

void add_json(Parser& app, OutputOptions& o)
{
    app.option_defaults()->group("Output");
    app.add_option("--json", o.json,
                   "write the result to this file as JSON; -: to stdout, text to stderr")
        ->type_name("FILE|-");
}

void add_output(Parser& app, OutputOptions& o)
{
    add_json(app, o);
    app.add_flag("--quiet", o.quiet, "no text on stdout, no progress line");
    app.add_flag("-v,--verbose", o.verbose, "StarPU's warnings, too");
}

void add_dry_run(Parser& app, bool& dry_run)
{
    app.option_defaults()->group("Output");
    app.add_flag("--dry-run", dry_run,
                 "print plan, command, memory and tasks an iteration, and end");
}

void finish_dry_run(const Parser& app, bool dry_run, std::initializer_list<const char*> outputs)
{
    for (const char* output : outputs)
        if (dry_run && app.given(output))
            throw Error(fmt::format("{}: with --dry-run nothing is computed or written", output));
}

void finish_problem(const Parser& app, ProblemOptions& o, std::optional<LinkStorage> links)
{
    if (is_twisted(o.theta) && links && *links != LinkStorage::full)
        throw Error(fmt::format("--theta: links of {} reals are in SU(3), and hold no phase: use "
                                "--links 18",
                                reals(*links)));
    if (app.given("--kappa"))
        o.mass = 1 / (2 * o.kappa) - 4;
    else
        o.kappa = 1 / (2 * (o.mass + 4));
    if (!std::isfinite(o.mass) || !std::isfinite(o.kappa) || o.kappa == 0)
        throw Error("--kappa, --mass: kappa = 1/(2(m+4)) leaves the range of floating point");
    if (!is_generated(o.gauge))
        check_readable("--gauge", o.gauge);
    else if (!o.lattice)
        throw Error(
            fmt::format("--lattice XxYxZxT is needed with --gauge {}", qcd::quoted(o.gauge)));
    if (o.reunitarize && is_generated(o.gauge))
        throw Error(fmt::format("--reunitarize: for gauge files, and {} is generated",
                                qcd::quoted(o.gauge)));
    if (o.source.empty()) throw Error("--source: empty");
    if (!is_generated_source(o.source)) check_readable("--source", o.source);
    if (o.source_number && is_generated_source(o.source))
        throw Error(
            fmt::format("--source-number: for files, and {} is generated", qcd::quoted(o.source)));
    for (const char* option : {"--basis", "--phases"})
        if (app.given(option) && app.get_option_no_throw("--source") &&
            is_generated_source(o.source) && !app.given("--guess"))
            throw Error(fmt::format("{}: for files of spinors, and {} is generated", option,
                                    qcd::quoted(o.source)));
    if (app.given("--save-gauge")) check_writable("--save-gauge", o.save_gauge);
    check_different({{"--config", app.config_file()}, {"--save-gauge", o.save_gauge}});
}

void add_written_phases(Parser& app, const char* option, BoundaryPhases& where)
{
    add_choice(app, option, where, solution_phases,
               "where its boundary phases are: at the boundary, or spread over all links");
}

void add_solution_files(Parser& app, SolveOptions& o)
{
    app.option_defaults()->group("Problem");
    app.add_option("--guess", o.guess, "begin with the spinor of this file, not with x = 0")
        ->type_name("FILE");
    app.add_option("--guess-number", o.guess_number, "which of the spinors in it, from 0 on")
        ->type_name("N")
        ->transform(whole(0, last_spinor));
    app.option_defaults()->group("Output");
    app.add_option("--save-solution", o.save_solution,
                   "write x to this file: HDF5 if it ends in .h5 or .hdf5, else SciDAC")
        ->type_name("FILE");
    add_choice(app, "--solution-basis", o.solution_basis, solution_bases, "its spin basis");
    add_written_phases(app, "--solution-phases", o.solution_phases);
}

void finish_solution_files(const Parser& app, const SolveOptions& o)
{
    if (app.given("--guess")) check_readable("--guess", o.guess);
    if (o.engine != Engine::starpu && app.given("--guess"))
        throw Error(fmt::format("--guess: --engine {} begins with 0", to_string(o.engine)));
    for (const auto& [option, needs] :
         {std::pair{"--guess-number", "--guess"}, std::pair{"--solution-basis", "--save-solution"},
          std::pair{"--solution-phases", "--save-solution"}})
        if (app.given(option) && !app.given(needs))
            throw Error(fmt::format("{}: without {} it means nothing", option, needs));
    if (app.given("--save-solution")) check_writable("--save-solution", o.save_solution);
    const ProblemOptions& p = o.problem;
    for (const auto& input :
         OptionFiles{{"--gauge", is_generated(p.gauge) ? "" : p.gauge},
                     {"--source", is_generated_source(p.source) ? "" : p.source},
                     {"--guess", o.guess}})
        check_different(with_outputs({input,
                                      {"--config", app.config_file()},
                                      {"--save-gauge", p.save_gauge},
                                      {"--save-solution", o.save_solution}},
                                     o.output));
}

void finish_machine(const Parser& app, const MachineOptions& o, Engine engine)
{
    if (engine != Engine::starpu)
        for (const char* option : {"--tiles", "--sched", "--cuda", "--opencl", "--gpu-memory",
                                   "--plan", "--split", "--trace", "--trace-fxt", "--report",
                                   "--links", "--cores-per-worker", "--stencil", "--multiple"})
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

void finish_output(const Parser& app, OutputOptions& o)
{
    if (app.given("--json")) check_output("--json", o.json);
    if (app.given("--report")) check_writable("--report", o.report);
    for (const auto& [option, folder] :
         {std::pair{"--trace", &o.trace}, std::pair{"--trace-fxt", &o.trace_fxt}}) {
        while (folder->size() > 1 && folder->back() == '/') folder->pop_back();
        if (app.given(option)) check_folder(option, *folder);
    }
    check_different(with_outputs({{"--config", app.config_file()}}, o));
}

void keep_files_apart(const ProblemOptions& problem, const OutputOptions& output)
{
    check_different(with_outputs({{"--gauge", is_generated(problem.gauge) ? "" : problem.gauge},
                                  {"--save-gauge", problem.save_gauge}},
                                 output));
}

} // namespace qcd::cli
