#include "drivers/cli/argument_checks.hpp"
#include "drivers/cli/option_groups.hpp"
#include "lattice/gauge_source.hpp"

namespace qcd::cli
{

namespace
{

constexpr int default_iterations = 20;

void add_iterations(Parser& app, SolveOptions& o, const char* meaning)
{
    o.iterations = default_iterations;
    app.get_option("--iterations")
        ->description(meaning)
        ->default_str(std::to_string(default_iterations));
}

/// What leaves no choice but a solve of so many iterations.
void leave_out(Parser& app, std::initializer_list<const char*> options)
{
    for (const char* option : options)
        if (CLI::Option* there = app.get_option_no_throw(option)) app.remove_option(there);
}

/// What a solve may be asked for and a simulated one does not do.
struct NotSimulated {
    const char* what;
    bool (*asked)(const SolveOptions&);
};
constexpr NotSimulated not_simulated[]{
    {"--plan batch: tasks of many operations are not simulated: graph or pinned",
     [](const SolveOptions& o) { return o.plan && o.plan->kind == PlanKind::batch; }},
    {"--plan linked: tasks of many operations are not simulated: graph or pinned",
     [](const SolveOptions& o) { return o.plan && o.plan->kind == PlanKind::linked; }},
    {"--split: slabs of devices and cores are not simulated",
     [](const SolveOptions& o) { return o.machine.split.has_value(); }},
    {"--cores-per-worker: workers of several cores are not simulated",
     [](const SolveOptions& o) { return o.machine.cores_per_worker.value_or(1) > 1; }},
    {"--stencil: versions of the study are not simulated",
     [](const SolveOptions& o) { return o.stencil != nullptr; }},
    {"--multiple: versions of the study are not simulated",
     [](const SolveOptions& o) { return o.multiple.has_value(); }},
    {"--sloppy, --sloppy-drop: updates follow from residuals, which are not simulated",
     [](const SolveOptions& o) { return o.sloppy || o.sloppy_drop; }},
    {"--rhs: several right-hand sides are not simulated",
     [](const SolveOptions& o) { return o.rhs != 1; }},
    {"--engine: plain loops are not simulated",
     [](const SolveOptions& o) { return o.engine != Engine::starpu; }},
    {"--source-number, --basis, --phases: the spinors of a source are not simulated",
     [](const SolveOptions& o) {
         return o.problem.source_number || o.problem.basis || o.problem.phases;
     }},
};

} // namespace

void require_simulated(const SolveOptions& o)
{
    for (const NotSimulated& n : not_simulated)
        if (n.asked(o)) throw Error(n.what);
}

Command parse_simulate(const std::vector<std::string>& arguments)
{
    SimulateOptions o;
    Parser app("simulate", "Say how long so many iterations of a solve would take on another "
                           "machine: its tasks are submitted, and none is computed.");
    app.option_defaults()->group("Simulation");
    app.add_option("--machine", o.machine,
                   "file of a machine; this: what qcd_starpu calibrate measured here")
        ->type_name("FILE|this");
    add_problem(app, o.solve.problem);
    add_method(app, o.solve);
    add_iterations(app, o.solve, "iterations that are simulated");
    leave_out(app, {"--save-gauge", "--source-number", "--basis", "--phases", "--tol",
                    "--max-iterations", "--max-iter", "--sloppy", "--sloppy-drop", "--stencil",
                    "--multiple"});
    add_machine(app, o.solve.machine);
    leave_out(app, {"--cores-per-worker"});
    app.get_option("--cuda")->default_str("all GPUs of the machine");
    add_plan(app, o.solve.plan);
    app.get_option("--plan")->type_name("graph|pinned")->default_str("graph");
    add_output(app, o.solve.output);
    app.option_defaults()->group("Output");
    app.add_option("--trace", o.solve.output.trace,
                   "the simulated tasks, as solve --trace records them")
        ->type_name("DIR");
    if (const auto text = app.run(arguments)) return *text;
    if (o.machine.empty()) throw Error("--machine FILE, or --machine this, is needed");
    if (o.machine != "this") check_readable("--machine", o.machine);
    finish_problem(app, o.solve.problem, o.solve.links);
    finish_method(app, o.solve);
    finish_machine(app, o.solve.machine, Engine::starpu);
    require_simulated(o.solve);
    if (!o.solve.plan) o.solve.plan = PlanChoice{PlanKind::graph, {}};
    finish_output(app, o.solve.output);
    check_different(with_outputs(
        {{"--machine", o.machine == "this" ? "" : o.machine}, {"--config", app.config_file()}},
        o.solve.output));
    return o;
}

Command parse_calibrate(const std::vector<std::string>& arguments)
{
    CalibrateOptions o;
    Parser app("calibrate", "Measure how long the tasks of a solve take here, one worker alone "
                            "and all of them busy, for qcd_starpu simulate.");
    app.option_defaults()->group("Measurement");
    app.add_option_function<std::string>(
           "--tiles",
           [&o](const std::string& text) {
               for (const std::string_view tiles : split(text, ','))
                   o.tiles.push_back(parse_extents(std::string(tiles), "--tiles"));
           },
           "tilings whose tasks are timed, joined by commas")
        ->type_name("XxYxZxT,...|")
        ->default_str("2 to 8 slabs in t, more where there are more workers");
    app.add_option("--repeat", o.rounds, "rounds, each of which runs everything once")
        ->type_name("N")
        ->transform(whole(1, 1000))
        ->capture_default_str();
    add_problem(app, o.solve.problem);
    add_method(app, o.solve);
    add_iterations(app, o.solve, "iterations of each run");
    leave_out(app, {"--save-gauge", "--tol", "--max-iterations", "--max-iter", "--sloppy",
                    "--sloppy-drop", "--stencil", "--multiple"});
    app.option_defaults()->group("Machine");
    for (const auto& [option, count, meaning] :
         {std::tuple{"--cpus", &o.solve.machine.cpus, "CPU workers at most"},
          std::tuple{"--cuda", &o.solve.machine.cuda, "CUDA workers at most"},
          std::tuple{"--opencl", &o.solve.machine.opencl, "OpenCL workers"}})
        app.add_option(option, *count, meaning)->type_name("N")->transform(whole(0, 4096));
    app.get_option("--cpus")->default_str("all cores");
    app.get_option("--cuda")->default_str("all GPUs");
    app.get_option("--opencl")->default_str("0");
    add_output(app, o.output);
    app.option_defaults()->group("Output");
    app.add_option("--out", o.out, "file of the machine")
        ->type_name("FILE")
        ->default_str("where --machine this finds it");
    if (const auto text = app.run(arguments)) return *text;
    if (app.given("--out")) check_writable("--out", o.out);
    finish_problem(app, o.solve.problem, o.solve.links);
    finish_method(app, o.solve);
    finish_output(app, o.output);
    check_different(with_outputs({{"--out", o.out}, {"--config", app.config_file()}}, o.output));
    o.solve.output.quiet = true;
    o.solve.output.verbose = o.output.verbose;
    return o;
}

} // namespace qcd::cli
