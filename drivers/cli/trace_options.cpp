#include "drivers/cli/argument_checks.hpp"
#include "drivers/cli/option_groups.hpp"
#include "traces/trace_folder.hpp"

#include <filesystem>

namespace fs = std::filesystem;

namespace qcd::cli
{

namespace
{

/// A:B, both of them iterations that are shown.
std::pair<int, int> parse_iterations(const std::string& text)
{
    const auto parts = split(text, ':');
    const auto first = parse_number<int>(parts.front()), last = parse_number<int>(parts.back());
    if (parts.size() != 2 || !first || !last || *first < 0 || *last < *first)
        throw Error(fmt::format("--iterations: {} is not A:B, two iterations with 0 <= A <= B",
                                qcd::quoted(text)));
    return {*first, *last};
}

void strip_slashes(std::string& folder)
{
    while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
}

} // namespace

Command parse_trace(const std::vector<std::string>& arguments)
{
    TraceOptions o;
    Parser app("trace",
               "Read what --trace has recorded: what ran, where the time went, a picture.");
    app.option_defaults()->group("Trace");
    app.add_option("DIR", o.folder, "folder of a trace")->configurable(false);
    const auto finite = real([](double) { return true; }, "a finite number");
    CLI::Option* from = app.add_option("--from", o.from,
                                       "show the trace from here on, ms; iterations and "
                                       "pictures have the same clock")
                            ->type_name("MS")
                            ->check(finite);
    CLI::Option* to =
        app.add_option("--to", o.to, "show it to here, ms")->type_name("MS")->check(finite);
    app.add_option_function<std::string>(
           "--iterations", [&o](const std::string& text) { o.iterations = parse_iterations(text); },
           "show the time from the first start of iteration A to the last end of B")
        ->type_name("A:B")
        ->excludes(from)
        ->excludes(to);
    app.add_option("--compare", o.other, "what takes longer in this one, by kernel and worker")
        ->type_name("DIR");
    app.add_option("--svg", o.svg, "draw it into this file, by gnuplot")->type_name("FILE");
    app.add_option("--png", o.png, "the same as PNG")->type_name("FILE");
    add_output(app, o.output);
    app.remove_option(app.get_option("--verbose"));
    if (const auto text = app.run(arguments)) return *text;
    if (o.folder.empty()) throw Error("trace: DIR, the folder of a trace, is needed");
    if (o.from && o.to && *o.to <= *o.from) throw Error("--from, --to: no time is between them");
    if (app.given("--compare") && o.other.empty()) throw Error("--compare: empty");
    strip_slashes(o.folder);
    strip_slashes(o.other);
    if (app.given("--svg")) check_output("--svg", o.svg);
    if (app.given("--png")) check_output("--png", o.png);
    finish_output(app, o.output);
    OptionFiles files{{"--config", app.config_file()},
                      {"--svg", o.svg},
                      {"--png", o.png},
                      {"--json", o.output.json}};
    for (const char* name : trace_files) files.emplace_back("DIR", fs::path(o.folder) / name);
    check_different(files);
    return o;
}

} // namespace qcd::cli
