#include "studies/frame/options.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "program/cli/argument_checks.hpp"
#include "program/cli/parser.hpp"
#include "program/stop.hpp"
#include "program/version.hpp"
#include "traces/trace_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace qcd::studies
{

namespace
{

using Arguments = std::vector<std::string>;

const cli::Words<PlanKind> plans{{"graph", PlanKind::graph},
                                 {"pinned", PlanKind::pinned},
                                 {"batch", PlanKind::batch},
                                 {"replay", PlanKind::replay}};

void add_workers(cli::Parser& app, FrameOptions& o)
{
    constexpr int most = 1024;
    app.option_defaults()->group("Machine");
    add_count(app, "--cpus", o.cpus, 0, most, "workers that are cores [all, none beside GPUs]");
    add_count(app, "--cuda", o.cuda, 0, most, "workers that are CUDA devices [all]");
    add_count(app, "--opencl", o.opencl, 0, most, "workers that are OpenCL devices [0]");
    add_count(app, "--cores-per-worker", o.cores_per_worker, 1, most,
              "cores that execute a task together");
    app.add_option("--sched", o.sched, "StarPU's scheduler [lws on cores, dmdas with devices]")
        ->type_name("NAME");
    cli::add_choice(app, "--plan", o.plan, plans,
                    "who chooses the worker of a task: StarPU, the part's owner, or nobody, as "
                    "there is one; replay: StarPU, for one iteration, which is then repeated");
}

void add_output(cli::Parser& app, FrameOptions& o)
{
    app.option_defaults()->group("Output");
    add_count(app, "--repeat", o.repeat, 1, 100000,
              "runs that count; where there are several, after one that does not");
    app.add_option("--within", o.within, "no run but the first begins after so many seconds [any]")
        ->type_name("S")
        ->check(cli::real([](double s) { return s > 0; }, "a number above 0"));
    app.add_option("--json", o.json, "write results to this file (-: stdout, and no text)")
        ->type_name("FILE");
    app.add_option("--trace", o.trace,
                   "record the last run here: paje.trace (ViTE), trace.json (Perfetto), tasks.csv, "
                   "profile.txt; qcd_starpu trace reads it")
        ->type_name("DIR");
    app.add_flag("-q,--quiet", o.quiet, "no text");
    app.add_flag("--verbose", o.verbose, "StarPU's own warnings, too");
}

void finish(const cli::Parser& app, FrameOptions& o)
{
    if (app.given("--sched") && o.sched.empty()) throw Error("--sched: empty");
    if (o.cpus == 0 && o.cuda == 0 && o.opencl == 0)
        throw Error("--cpus 0 --cuda 0 --opencl 0 leaves no worker");
    if (!has_scheduler(o.plan) && app.given("--sched"))
        throw Error("--sched: with --plan {} it has nothing to choose", to_string(o.plan));
    if (app.given("--json")) cli::check_output("--json", o.json);
    cli::OptionFiles files{{"--config", app.config_file()}, {"--json", o.json}};
    if (app.given("--trace")) {
        while (o.trace.size() > 1 && o.trace.back() == '/') o.trace.pop_back();
        cli::check_folder("--trace", o.trace);
        for (const char* name : trace_files)
            files.emplace_back("--trace", std::filesystem::path(o.trace) / name);
        files.emplace_back("--trace", std::filesystem::path(o.trace) / unfinished_name);
    }
    cli::check_different(files);
    if (app.given("--trace") && app.given("--within"))
        throw Error("--within: --trace records the last run, which is then not known");
}

std::string help()
{
    std::string text =
        version_line(program_name) + "\nStudies of what a GPU, a core, a split of work bring.\n\n" +
        "Usage: starpu_studies STUDY [OPTIONS]\n       starpu_studies compare STUDY [OPTIONS]\n\n" +
        "Studies:\n";
    for (const StudyKind& kind : study_kinds())
        text += fmt::format("  {:<12}{}\n", kind.name, kind.description);
    return text + "\n  starpu_studies STUDY --help lists the options of a study, starpu_studies "
                  "compare --help\n  those of a comparison.\n";
}

const StudyKind& kind_named(const std::string& name, const char* what)
{
    for (const StudyKind& kind : study_kinds())
        if (kind.name == name) return kind;
    std::string names;
    for (const StudyKind& kind : study_kinds()) names += fmt::format(" {}", kind.name);
    throw Error("{} is no {}; there are{}", qcd::quoted(name), what, names);
}

/// The cases so far with each value of a list.
void expand(CompareCall& c, const std::string& option, const std::string& list)
{
    constexpr std::size_t most = 1000;
    CompareCall all;
    for (const std::string_view value : split(list, ',')) {
        if (value.empty()) throw Error(option + ": an empty value");
        for (std::size_t k = 0; k < c.cases.size(); ++k) {
            all.cases.push_back(c.cases[k]);
            all.cases.back().insert(all.cases.back().end(), {option, std::string(value)});
            all.factors.push_back(c.factors[k]);
            all.factors.back().emplace_back(option.substr(2), value);
        }
        if (all.cases.size() > most) throw Error("compare: more than {} cases", most);
    }
    c.cases = std::move(all.cases);
    c.factors = std::move(all.factors);
}

/// What `compare` takes for itself; other arguments are those of all cases. Text: its help.
std::optional<cli::Text> parse_own(CompareCall& c, Arguments arguments)
{
    cli::Parser app("compare STUDY", "Runs of a study in turn: which is faster, is that certain?",
                    program_name);
    app.set_help_flag("-h,--help", "print this help");
    add_count(app, "--rounds", c.rounds, 1, 100000, "each of which runs every case once");
    add_count(app, "--seed", c.seed, 0, 1000000000, "of the cases' order in each round");
    app.add_option("--out", c.folder, "folder for runs.csv; what it has is not run again")
        ->type_name("DIR")
        ->capture_default_str();
    app.add_option("--json", c.json, "write results to this file")->type_name("FILE");
    app.add_flag("-q,--quiet", c.quiet, "no text");
    app.option_defaults()->group("Cases: each value of one list with each of the others");
    std::vector<const CLI::Option*> lists;
    for (const char* name :
         {"--version", "--tiles", "--sched", "--plan", "--cpus", "--cuda", "--opencl"})
        lists.push_back(app.add_option(name, "the study's, joined by commas")->type_name("LIST"));
    app.footer("Other options are the study's (starpu_studies STUDY --help).");
    std::reverse(arguments.begin(), arguments.end()); // CLI11 wants the last one first
    try {
        app.parse(std::move(arguments));
    } catch (const CLI::CallForHelp&) {
        return cli::Text{app.help()};
    } catch (const CLI::ParseError& e) {
        throw Error(one_line(std::string(trim(e.what()))));
    }
    while (c.folder.size() > 1 && c.folder.back() == '/') c.folder.pop_back();
    cli::check_folder("--out", c.folder);
    if (app.given("--json")) cli::check_output("--json", c.json);
    cli::check_different({{"--out", c.folder + "/compare.json"},
                          {"--out", c.folder + "/runs.csv"},
                          {"--json", c.json}});
    c.cases = {app.remaining()};
    c.factors = {{}};
    for (const CLI::Option* list : lists)
        if (list->count() > 0) expand(c, list->get_name(), list->as<std::string>());
    return std::nullopt;
}

StudyCommand parse_compare(const Arguments& arguments)
{
    CompareCall c;
    if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h")
        return *parse_own(c, {"--help"});
    c.kind = &kind_named(arguments[0], "study");
    if (const auto text = parse_own(c, {arguments.begin() + 1, arguments.end()})) return *text;
    for (const Arguments& one : c.cases) { // a bad one is refused before any runs
        const auto parsed = parse_study(*c.kind, one);
        if (const auto* text = std::get_if<cli::Text>(&parsed)) return *text;
        const FrameOptions& o = std::get<StudyCall>(parsed).frame;
        if (o.repeat != 1 || !o.trace.empty() || o.within > 0)
            throw Error("compare: --rounds stands for --repeat, and there is no --trace or "
                        "--within");
    }
    return c;
}

/// last: stands for those that are missing; else 1.
void add_numbers(cli::Parser& app, const char* option, std::span<int> to, bool last, int most,
                 const char* type_name, const char* description)
{
    const auto parse = [=](const std::string& text) {
        const std::vector<std::string_view> pieces = split(text, 'x');
        bool good = pieces.size() <= to.size();
        for (std::size_t i = 0; good && i < to.size(); ++i) {
            to[i] = i < pieces.size() ? parse_number<int>(pieces[i]).value_or(0)
                    : last            ? to[i - 1]
                                      : 1;
            good = to[i] >= 1 && to[i] <= most;
        }
        if (!good)
            throw Error("{}: {} is not {} from 1 to {}{}", option, qcd::quoted(text),
                        counted(long(to.size()), "whole number"), most,
                        to.size() == 1 ? "" : ", joined by x");
    };
    app.add_option_function<std::string>(option, parse, description)->type_name(type_name);
}

} // namespace

CLI::Option* add_count(cli::Parser& app, const char* option, int& target, int low, int high,
                       const char* description)
{
    return app.add_option(option, target, description)
        ->type_name("N")
        ->transform(cli::whole(low, high))
        ->capture_default_str();
}

CLI::Option* add_count(cli::Parser& app, const char* option, std::optional<int>& target, int low,
                       int high, const char* description)
{
    return app
        .add_option_function<int>(
            option, [&target](const int& n) { target = n; }, description)
        ->type_name("N")
        ->transform(cli::whole(low, high));
}

CLI::Option* add_positive(cli::Parser& app, const char* option, double& target, double most,
                          const char* description)
{
    return app.add_option(option, target, description)
        ->check(cli::real([most](double x) { return x > 0 && x <= most; },
                          fmt::format("a number above 0, at most {}", most)))
        ->capture_default_str();
}

void add_size(cli::Parser& app, std::span<int> size, int most, const char* type_name,
              const char* description)
{
    add_numbers(app, "--size", size, true, most, type_name, description);
}

void add_tiles(cli::Parser& app, std::span<int> tiles, int most, const char* type_name,
               const char* description)
{
    add_numbers(app, "--tiles", tiles, false, most, type_name, description);
}

std::variant<StudyCall, cli::Text> parse_study(const StudyKind& kind, const Arguments& arguments)
{
    StudyCall c;
    c.kind = &kind;
    c.study = kind.make();
    cli::Parser app(kind.name, kind.description, program_name);
    app.option_defaults()->group("Study");
    c.study->add_options(app);
    add_workers(app, c.frame);
    add_output(app, c.frame);
    if (const auto text = app.run(arguments)) return *text;
    finish(app, c.frame);
    c.study->finish_options(app);
    return c;
}

StudyCommand parse_command(const Arguments& arguments)
{
    if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h")
        return cli::Text{help()};
    if (arguments[0] == "--version") return cli::Text{version_line(program_name) + "\n"};
    const Arguments rest(arguments.begin() + 1, arguments.end());
    StudyCommand command = [&]() -> StudyCommand {
        if (arguments[0] == "compare") return parse_compare(rest);
        auto parsed = parse_study(kind_named(arguments[0], "study or command"), rest);
        if (auto* text = std::get_if<cli::Text>(&parsed)) return *text;
        return std::move(std::get<StudyCall>(parsed));
    }();
    if (auto* study = std::get_if<StudyCall>(&command)) study->frame.call.arguments = arguments;
    if (auto* compare = std::get_if<CompareCall>(&command)) compare->call.arguments = arguments;
    return command;
}

SessionOptions session_options(const FrameOptions& o)
{
    return {.cpus = o.cpus,
            .cuda = o.cuda,
            .opencl = o.opencl,
            .cores_per_worker = o.cores_per_worker,
            .scheduler = o.sched,
            .cores_beside_gpus = o.cpus.value_or(0) > 0,
            .verbose = o.verbose,
            .stop = &stop_requested,
            .end_stalled = end_stalled_run};
}

Plan plan_of(const FrameOptions& o, const Session& session)
{
    const WorkerCounts w = session.workers();
    Plan plan{.kind = o.plan, .cores_per_worker = o.cores_per_worker};
    if (o.plan == PlanKind::batch && w.all() != 1)
        throw Error("--plan batch: for one worker, there are {} (--cpus, --cuda, "
                    "--opencl, --cores-per-worker)",
                    w.all());
    if (o.plan == PlanKind::replay) {
        if (const std::string why = why_not_replayed_by(w); !why.empty())
            throw Error("--plan replay: " + why);
        plan.schedules = make_schedules();
    }
    if (o.plan == PlanKind::pinned)
        for (int worker = 0; worker < w.all(); ++worker) plan.owners.push_back(worker);
    return plan;
}

int chosen_parts(const WorkerCounts& w, int most)
{
    return w.all() == 1 ? 1 : std::clamp(2 * w.all(), 1, std::max(1, most));
}

} // namespace qcd::studies
