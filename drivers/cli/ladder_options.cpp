#include "drivers/cli/argument_checks.hpp"
#include "drivers/cli/option_groups.hpp"
#include "lattice/gauge_source.hpp"

#include <algorithm>

namespace qcd::cli
{

namespace
{

const Words<LadderDevice> devices{{"core", LadderDevice::core},
                                  {"cores", LadderDevice::cores},
                                  {"opencl", LadderDevice::opencl},
                                  {"cuda", LadderDevice::cuda}};

/// The values of a list, no two alike.
template <class Value, class Parse>
std::vector<Value> values_of(const char* option, const std::string& list, const Parse& parse)
{
    std::vector<Value> values;
    for (const std::string_view text : split(list, ',')) {
        const Value value = parse(std::string(text));
        if (std::find(values.begin(), values.end(), value) != values.end())
            throw Error(
                fmt::format("{}: {} is there twice", option, qcd::quoted(std::string(text))));
        values.push_back(value);
    }
    return values;
}

LadderDevice parse_device(const std::string& text)
{
    for (const auto& [word, device] : devices)
        if (word == text) return device;
    throw Error(
        fmt::format("--devices: {} is none of core, cores, opencl, cuda", qcd::quoted(text)));
}

struct Lists {
    std::string versions, multiples, devices;
};

void add_rows(Parser& app, LadderOptions& o, Lists& lists)
{
    app.option_defaults()->group("Rows");
    app.add_option("--stencil", lists.versions, "versions, and auto for today's kernels")
        ->type_name("VERSION,...")
        ->default_str("all, and auto");
    app.add_option("--multiple", lists.multiples,
                   "sites of a work group on devices, in versions 1.2 and later")
        ->type_name("N,...")
        ->default_str(std::to_string(default_multiple));
    app.add_option("--devices", lists.devices, "of core (one), cores (all), opencl, cuda")
        ->type_name("DEVICE,...")
        ->default_str("all that are here");
    app.option_defaults()->group("Measurement");
    app.add_option("--iterations,--niter", o.solve.iterations, "of Conjugate Residual in a run")
        ->type_name("N")
        ->transform(whole(1, most_repetitions))
        ->default_str("as many as end in time on two cores, at most 143");
    app.add_option("--repeat", o.rounds, "rounds, each of which runs every row once")
        ->type_name("N")
        ->transform(whole(1, 100000))
        ->capture_default_str();
    app.add_option("--seed", o.seed, "of the order of the rows in each round")
        ->type_name("N")
        ->transform(whole(0, most_repetitions))
        ->capture_default_str();
    app.add_option("--out", o.folder,
                   "folder for runs.csv, ladder.json and charts; what it has is not run again")
        ->type_name("DIR")
        ->capture_default_str();
}

} // namespace

std::string_view to_string(LadderDevice d) { return word_of(devices, d); }

Command parse_ladder(const std::vector<std::string>& arguments)
{
    LadderOptions o;
    o.solve.output.quiet = true;
    o.solve.problem.lattice = Extents{8, 8, 8, 16};
    Parser app("ladder", "The study of 2013: every version of its kernels on every device, in "
                         "turn; what each step brings.");
    Lists lists;
    add_rows(app, o, lists);
    add_problem(app, o.solve.problem);
    app.get_option("--lattice")->default_str("8x8x8x16");
    app.remove_option(app.get_option("--save-gauge")); // many runs, one field
    app.remove_option(app.get_option("--csw"));        // versions have no clover term
    std::optional<LinkStorage> links;
    add_fields(app, o.solve.precision, links);
    app.remove_option(app.get_option("--links"));
    add_gpu_memory(app, o.solve.machine);
    add_output(app, o.output);
    if (const auto text = app.run(arguments)) return *text;
    if (!app.given("--lattice") && !is_generated(o.solve.problem.gauge))
        o.solve.problem.lattice = {};
    if (app.given("--stencil"))
        o.versions = values_of<const StudyVersion*>("--stencil", lists.versions, parse_stencil);
    else {
        for (const StudyVersion& v : study_versions) o.versions.push_back(&v);
        o.versions.push_back(nullptr);
    }
    if (app.given("--multiple"))
        o.multiples = values_of<int>("--multiple", lists.multiples, parse_multiple);
    if (app.given("--devices"))
        o.devices = values_of<LadderDevice>("--devices", lists.devices, parse_device);
    o.solve.even_odd = false;
    while (o.folder.size() > 1 && o.folder.back() == '/') o.folder.pop_back();
    check_folder("--out", o.folder);
    finish_problem(app, o.solve.problem, links);
    finish_output(app, o.output);
    OptionFiles files{{"--gauge", is_generated(o.solve.problem.gauge) ? "" : o.solve.problem.gauge},
                      {"--config", app.config_file()},
                      {"--json", o.output.json}};
    for (const char* name : {"design.json", "runs.csv", "ladder.json"})
        files.emplace_back("--out", o.folder + "/" + name);
    check_different(files);
    o.solve.output.verbose = o.output.verbose;
    return o;
}

} // namespace qcd::cli
