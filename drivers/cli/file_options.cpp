#include "drivers/cli/argument_checks.hpp"
#include "drivers/cli/option_groups.hpp"
#include "lattice/gauge_source.hpp"

namespace qcd::cli
{

namespace
{

const Words<std::optional<int>> file_precisions{{"single", 32}, {"double", 64}};

const Words<std::optional<GaugeFormat>>& format_words()
{
    static const Words<std::optional<GaugeFormat>> words = [] {
        Words<std::optional<GaugeFormat>> all;
        for (const GaugeFormatFacts& f : gauge_formats()) all.emplace_back(f.name, f.format);
        return all;
    }();
    return words;
}

void add_lattice(Parser& app, std::optional<Extents>& lattice, const char* description)
{
    const auto parse = [&lattice](const std::string& text) {
        lattice = parse_extents(text, "--lattice");
        require_lattice(*lattice, "--lattice");
    };
    app.add_option_function<std::string>("--lattice", parse, description)->type_name("XxYxZxT");
}

void add_file_output(Parser& app, OutputOptions& o, const char* quiet)
{
    add_json(app, o);
    app.add_flag("--quiet", o.quiet, quiet);
}

} // namespace

Command parse_convert(const std::vector<std::string>& arguments)
{
    ConvertOptions o;
    Parser app("convert", "Write a gauge field to a file of another format or precision.");
    app.option_defaults()->group("Files");
    app.add_option("IN", o.in, "gauge file, or unit, random:SEED, weak:EPS[,SEED], gen:SEED,W")
        ->type_name("");
    app.add_option("OUT", o.out, "gauge file to write")->type_name("");
    add_choice(app, "--format", o.format, format_words(), "of OUT");
    app.get_option("--format")->default_str("by OUT's ending, else nersc");
    add_choice(app, "--precision,--prec", o.bits, file_precisions, "of OUT's numbers");
    app.get_option("--precision")->default_str("IN's");
    add_lattice(app, o.lattice, "of a generated field, and of a file that does not say it");
    app.add_flag("--reunitarize", o.reunitarize,
                 "project the links to SU(3), and take links of single accuracy");
    add_file_output(app, o.output, "no text on stdout, no notes");
    if (const auto text = app.run(arguments)) return *text;
    if (o.in.empty() || o.out.empty()) throw Error("convert: IN and OUT are needed");
    if (!is_generated(o.in))
        check_readable("IN", o.in);
    else if (!o.lattice)
        throw Error(fmt::format("--lattice XxYxZxT is needed with {}", qcd::quoted(o.in)));
    check_writable("OUT", o.out);
    finish_output(app, o.output);
    check_different({{"IN", is_generated(o.in) ? "" : o.in},
                     {"OUT", o.out},
                     {"--config", app.config_file()},
                     {"--json", o.output.json}});
    return o;
}

Command parse_check(const std::vector<std::string>& arguments)
{
    CheckOptions o;
    Parser app("check", "Say what gauge files, files of spinors and checkpoints are, and whether "
                        "they are good.");
    app.option_defaults()->group("Files");
    app.add_option("FILE", o.files, "gauge files, files of spinors, checkpoints")->type_name("");
    add_lattice(app, o.lattice, "of files that do not say it");
    add_file_output(app, o.output, "no text on stdout");
    if (const auto text = app.run(arguments)) return *text;
    if (o.files.empty()) throw Error("check: FILE is needed");
    finish_output(app, o.output);
    OptionFiles files{{"--json", o.output.json}};
    for (const std::string& file : o.files) files.emplace_back("FILE", file);
    check_different(files);
    return o;
}

} // namespace qcd::cli
