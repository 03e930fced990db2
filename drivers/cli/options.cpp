#include "drivers/cli/options.hpp"

#include "drivers/cli/argument_checks.hpp"
#include "drivers/cli/option_groups.hpp"
#include "drivers/version.hpp"
#include "lattice/several_sources.hpp"
#include "runtime/ranks.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace qcd::cli
{

namespace
{

const Words<std::vector<Precision>> precision_sets{{"both", {Precision::f64, Precision::f32}},
                                                   {"double", {Precision::f64}},
                                                   {"single", {Precision::f32}},
                                                   {"half", {Precision::f16}}};
const Words<std::vector<LinkStorage>> storage_sets{
    {"18", {LinkStorage::full}},
    {"12", {LinkStorage::two_rows}},
    {"8", {LinkStorage::minimal}},
    {"all", {LinkStorage::full, LinkStorage::two_rows, LinkStorage::minimal}}};
using Arguments = std::vector<std::string>;

Command parse_solve(const Arguments& arguments)
{
    SolveOptions o;
    Parser app("solve", "Solve D x = b and verify the answer.");
    add_problem(app, o.problem);
    add_method(app, o);
    add_rhs(app, o.rhs);
    add_stencil(app, o);
    app.add_option("--repeat", o.repeat, "solve N times, report the times of all")
        ->type_name("N")
        ->transform(whole(1, most_repetitions))
        ->capture_default_str();
    add_engine(app, o.engine);
    add_machine(app, o.machine);
    app.get_option("--cpus")->description("CPU workers; threads of --engine openmp");
    app.get_option("--cuda")->default_str("as many GPUs as shorten the solve");
    add_plan(app, o.plan);
    add_split(app, o.machine.split);
    add_output(app, o.output);
    add_solution_files(app, o);
    add_checkpoint(app, o);
    app.option_defaults()->group("Output");
    app.add_option("--trace", o.output.trace,
                   "record the solve here: paje.trace (ViTE), trace.json (Perfetto), tasks.csv, "
                   "profile.txt; qcd_starpu trace reads it")
        ->type_name("DIR");
    app.add_option("--trace-fxt", o.output.trace_fxt,
                   "record it here by StarPU's FxT, for StarPU's tools: fxt_0, tasks.rec, dag.dot")
        ->type_name("DIR");
    app.add_option("--report", o.output.report,
                   "a page for the browser: what ran, the answer, and where the time went")
        ->type_name("FILE.html");
    add_dry_run(app, o.dry_run);
    if (const auto text = app.run(arguments)) return *text;
    finish_dry_run(app, o.dry_run,
                   {"--json", "--trace", "--trace-fxt", "--report", "--save-gauge",
                    "--save-solution", "--checkpoint"});
    finish_problem(app, o.problem, o.links);
    finish_method(app, o);
    source_of_several(o.problem.source, 0, o.rhs); // is it of so many?
    finish_machine(app, o.machine, o.engine);
    finish_output(app, o.output);
    keep_files_apart(o.problem, o.output);
    finish_solution_files(app, o);
    finish_checkpoint(app, o);
    return o;
}

Command parse_apply(const Arguments& arguments)
{
    ApplyOptions o;
    Parser app(
        "apply",
        "Apply H, D, gamma5 D, D^dagger D and Dhat to the source; print norms and inner products.");
    add_problem(app, o.problem);
    add_fields(app, o.precision, o.links);
    add_machine(app, o.machine);
    add_output(app, o.output);
    if (const auto text = app.run(arguments)) return *text;
    finish_problem(app, o.problem, o.links);
    finish_machine(app, o.machine, Engine::starpu);
    finish_output(app, o.output);
    keep_files_apart(o.problem, o.output);
    return o;
}

Command parse_bench(const Arguments& arguments)
{
    BenchOptions o{.lattices = {},
                   .ops = {},
                   .precisions = {Precision::f64, Precision::f32},
                   .links = {LinkStorage::full},
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
    add_choice(app, "--precision,--prec", o.precisions, precision_sets, "of fields and arithmetic");
    add_choice(app, "--links,--recon", o.links, storage_sets, "reals that a link is stored in");
    app.add_option("--repeat", o.repeat, "time each operation N times, report the median")
        ->type_name("N")
        ->transform(whole(1, most_repetitions))
        ->capture_default_str();
    app.add_option("--rhs", o.rhs, "right-hand sides that operations are on together")
        ->type_name("N")
        ->transform(whole(1, most_rhs))
        ->capture_default_str();
    add_machine(app, o.machine);
    app.get_option("--cpus")->default_str("all cores");
    app.add_flag("--oversubscribe", o.oversubscribe,
                 "measure also with more CPU workers than cores, or than their CPU time allows");
    for (const char* devices : {"--cuda", "--opencl"}) app.get_option(devices)->default_str("1");
    add_output(app, o.output);
    if (const auto text = app.run(arguments)) return *text;
    if (std::count(o.ops.begin(), o.ops.end(), "") > 0) throw Error("--ops: an empty name");
    if (o.precisions.front() == Precision::f16 &&
        std::count(o.links.begin(), o.links.end(), LinkStorage::minimal) > 0)
        throw Error("--precision half: links of 8 reals are none in 16 bits: use --links 12 or 18");
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
    {"propagator", "solve for 12 sources; pion correlator", parse_propagator},
    {"apply", "apply the operators to a source; print norms and inner products", parse_apply},
    {"info", "what this machine and this build can do", parse_info},
    {"bench", "time every operation on every kind of worker", parse_bench},
    {"compare", "ways of running one solve, with statistics", parse_compare},
    {"ladder", "the study of 2013: every version of its kernels on every device", parse_ladder},
    {"simulate", "how long a solve would take on another machine", parse_simulate},
    {"calibrate", "measure this machine's tasks, for simulate", parse_calibrate},
    {"trace", "read what --trace has recorded: summary, profile, picture", parse_trace},
    {"convert", "write a gauge field in another format or precision", parse_convert},
    {"check", "what files of fields and checkpoints are, and whether they are good", parse_check},
};

Text overview()
{
    std::string text = version_line() +
                       "\nLattice QCD: solves D x = b for the Wilson-Dirac matrix as a graph of "
                       "StarPU tasks over lattice tiles.\n\n"
                       "Usage: qcd_starpu [COMMAND] [OPTIONS]\n\nCommands:\n";
    for (const CommandEntry& c : commands) text += fmt::format("  {:<12}{}\n", c.name, c.summary);
    text += "\nqcd_starpu COMMAND --help lists the options of a command.\n"
            "\nExit status:\n"
            "  0  converged and verified\n"
            "  1  not converged\n"
            "  2  bad usage or bad input\n"
            "  3  verification failed\n"
            "  4  an asked-for device or feature is missing, memory is too small, or a device "
            "failed\n\n";
    return {text + std::get<Text>(parse_solve({"--help"})).text};
}

Command parse_command(const Arguments& arguments)
{
    if (arguments.empty()) return parse_solve(arguments);
    const std::string& first = arguments.front();
    if (first == "--help" || first == "-h" || first == "help") return overview();
    if (!first.empty() && first.front() == '-') return parse_solve(arguments);
    for (const CommandEntry& c : commands)
        if (c.name == first) return c.parse({arguments.begin() + 1, arguments.end()});
    std::vector<std::string_view> names;
    for (const CommandEntry& c : commands) names.push_back(c.name);
    throw Error(fmt::format("there is no command {}: it is one of {}", qcd::quoted(first),
                            fmt::join(names, ", ")));
}

} // namespace

Command parse(const Arguments& arguments)
{
    Command command = parse_command(arguments);
    std::visit(
        [&](auto& options) {
            if constexpr (requires { options.output; })
                options.output.arguments = arguments;
            else if constexpr (requires { options.solve.output; })
                options.solve.output.arguments = arguments;
        },
        command);
    return command;
}

Ranks& ranks_of(const MachineOptions& o) { return o.ranks ? *o.ranks : one_rank(); }

std::string version_line() { return qcd::version_line("qcd_starpu"); }

} // namespace qcd::cli
