#include "drivers/cli/argument_checks.hpp"
#include "drivers/cli/option_groups.hpp"
#include "lattice/gauge_source.hpp"

#include <optional>

namespace qcd::cli
{

Command parse_propagator(const std::vector<std::string>& arguments)
{
    PropagatorOptions p;
    SolveOptions& o = p.solve;
    Parser app("propagator", "Solve for the 12 spins and colours of a source; pion correlator.");
    add_problem(app, o.problem);
    for (const char* option : {"--source", "--source-number", "--basis", "--phases"})
        app.remove_option(app.get_option(option));
    app.option_defaults()->group("Problem");
    CLI::Option* point = app.add_option_function<std::string>(
        "--point", [&p](const std::string& text) { p.source = "point:" + text; },
        "source: 1 on this site, for each spin and colour");
    point->type_name("X,Y,Z,T")->default_str("0,0,0,0");
    app.add_option_function<std::string>(
           "--wall", [&p](const std::string& text) { p.source = "wall:" + text; },
           "source: 1 on all sites of this time slice, for each spin and colour")
        ->type_name("T")
        ->excludes(point);
    app.add_option_function<std::string>(
           "--smeared",
           [&p](const std::string& text) { p.smearing = parse_smearing(text, "--smeared"); },
           "smear the point in space: width W in lattice spacings, by N steps")
        ->type_name("W,N")
        ->excludes(app.get_option("--wall"));
    add_method(app, o);
    app.remove_option(app.get_option("--iterations"));
    std::optional<int> rhs;
    app.add_option("--rhs", rhs, "of the 12 sources so many are solved together")
        ->type_name("N")
        ->transform(whole(1, 12))
        ->default_str("as many as memory holds; 1 with --resume");
    add_machine(app, o.machine);
    add_plan(app, o.plan);
    add_output(app, o.output);
    app.add_option(
           "--save", p.save,
           "write the propagator to this file: HDF5 if it ends in .h5 or .hdf5, else SciDAC")
        ->type_name("FILE");
    add_written_phases(app, "--phases", p.phases);
    app.add_flag("--resume", p.resume,
                 "keep each solution beside --save's file until all are there; the same command "
                 "goes on with those of a run that was interrupted");
    app.add_option("--plot", p.plot,
                   "draw the correlators into this folder, by gnuplot: pion.svg, .png")
        ->type_name("DIR");
    add_dry_run(app, o.dry_run);
    if (const auto text = app.run(arguments)) return *text;
    finish_dry_run(app, o.dry_run, {"--json", "--plot", "--save", "--save-gauge"});
    if (p.resume && p.save.empty())
        throw Error("--resume: without --save there is no file to keep solutions beside");
    if (app.given("--phases") && p.save.empty())
        throw Error("--phases: without --save it means nothing");
    if (p.source.empty()) p.source = "point:0,0,0,0";
    o.command = fmt::format("propagator --{} {}", p.source.substr(0, p.source.find(':')),
                            p.source.substr(p.source.find(':') + 1));
    if (p.smearing)
        o.command += fmt::format(" --smeared {},{}", p.smearing->width, p.smearing->steps);
    o.problem.source = p.source + ",0,0";
    finish_problem(app, o.problem, o.links);
    o.rhs = rhs.value_or(1);
    finish_method(app, o);
    if (!rhs && !p.resume) o.rhs = 0;
    finish_machine(app, o.machine, Engine::starpu);
    finish_output(app, o.output);
    if (app.given("--plot")) check_folder("--plot", p.plot);
    if (app.given("--save")) check_writable("--save", p.save);
    check_different({{"--gauge", is_generated(o.problem.gauge) ? "" : o.problem.gauge},
                     {"--config", app.config_file()},
                     {"--save-gauge", o.problem.save_gauge},
                     {"--save", p.save},
                     {"--json", o.output.json}});
    return p;
}

} // namespace qcd::cli
