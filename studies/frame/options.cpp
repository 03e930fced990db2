#include "studies/frame/options.hpp"

#include "drivers/cli/argument_checks.hpp"
#include "drivers/cli/parser.hpp"
#include "drivers/stop.hpp"
#include "drivers/version.hpp"
#include "lattice/error.hpp"
#include "lattice/text.hpp"
#include "traces/trace_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace qcd::studies
{

namespace
{

using Arguments = std::vector<std::string>;

const cli::Words<PlanKind> plans{
    {"graph", PlanKind::graph}, {"pinned", PlanKind::pinned}, {"batch", PlanKind::batch}};

void add_workers(cli::Parser& app, FrameOptions& o)
{
    app.option_defaults()->group("Machine");
    const auto add_count = [&](const char* name, std::optional<int>& count, const char* what) {
        app.add_option_function<int>(
               name, [&count](const int& n) { count = n; }, what)
            ->type_name("N")
            ->transform(cli::whole(0, 1024));
    };
    add_count("--cpus", o.cpus, "workers that are cores [all, none beside GPUs]");
    add_count("--cuda", o.cuda, "workers that are CUDA devices [all]");
    add_count("--opencl", o.opencl, "workers that are OpenCL devices [0]");
    app.add_option("--cores-per-worker", o.cores_per_worker, "cores that execute a task together")
        ->type_name("N")
        ->transform(cli::whole(1, 1024))
        ->capture_default_str();
    app.add_option("--sched", o.sched, "StarPU's scheduler [lws on cores, dmdas with devices]")
        ->type_name("NAME");
    cli::add_choice(app, "--plan", o.plan, plans,
                    "who chooses the worker of a task: StarPU, the part's owner, or nobody, as "
                    "there is one");
}

void add_output(cli::Parser& app, FrameOptions& o)
{
    app.option_defaults()->group("Output");
    app.add_option("--repeat", o.repeat,
                   "runs that count; where there are several, after one that does not")
        ->type_name("N")
        ->transform(cli::whole(1, 100000))
        ->capture_default_str();
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
    if (o.plan != PlanKind::graph && app.given("--sched"))
        throw Error(
            fmt::format("--sched: with --plan {} it has nothing to choose", to_string(o.plan)));
    if (app.given("--json")) cli::check_output("--json", o.json);
    cli::OptionFiles files{{"--config", app.config_file()}, {"--json", o.json}};
    if (app.given("--trace")) {
        while (o.trace.size() > 1 && o.trace.back() == '/') o.trace.pop_back();
        cli::check_folder("--trace", o.trace);
        for (const char* name : trace_files)
            files.emplace_back("--trace", std::filesystem::path(o.trace) / name);
    }
    cli::check_different(files);
}

std::string help()
{
    std::string text =
        version_line(program_name) + "\nStudies of what a GPU, a core, a split of work bring.\n\n" +
        "Usage: starpu_studies STUDY [OPTIONS]\n       starpu_studies compare STUDY [OPTIONS]\n\n" +
        "Studies:\n";
    for (const StudyKind& kind : study_kinds())
        text += fmt::format("  {:<12}{}\n", kind.name, kind.description);
    return text + "\n  starpu_studies STUDY --help lists the options of a study. compare takes "
                  "several values,\n  joined by commas, of --version, --tiles, --sched, --plan, "
                  "--cpus, --cuda and --opencl.\n";
}

const StudyKind& kind_named(const std::string& name, const char* what)
{
    for (const StudyKind& kind : study_kinds())
        if (kind.name == name) return kind;
    std::string names;
    for (const StudyKind& kind : study_kinds()) names += fmt::format(" {}", kind.name);
    throw Error(fmt::format("{} is no {}; there are{}", qcd::quoted(name), what, names));
}

/// What `compare` takes for itself is taken out of the arguments.
Arguments parse_own(CompareCall& c, const Arguments& arguments)
{
    cli::Parser app("compare", "Runs of a study in turn: which is faster, and is that certain?",
                    program_name);
    app.add_option("--rounds", c.rounds, "")->transform(cli::whole(1, 100000));
    app.add_option("--seed", c.seed, "")->transform(cli::whole(0, 1000000000));
    app.add_option("--out", c.folder, "");
    app.add_option("--json", c.json, "");
    app.add_flag("-q,--quiet", c.quiet, "");
    Arguments own, rest;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string name = arguments[i].substr(0, arguments[i].find('='));
        const CLI::Option* option = name.starts_with('-') ? app.get_option_no_throw(name) : nullptr;
        Arguments& to = option ? own : rest;
        to.push_back(arguments[i]);
        if (option && option->get_type_size() > 0 && name == arguments[i] &&
            i + 1 < arguments.size())
            to.push_back(arguments[++i]);
    }
    app.run(own);
    while (c.folder.size() > 1 && c.folder.back() == '/') c.folder.pop_back();
    cli::check_folder("--out", c.folder);
    if (app.given("--json")) cli::check_output("--json", c.json);
    cli::check_different({{"--out", c.folder + "/compare.json"},
                          {"--out", c.folder + "/runs.csv"},
                          {"--json", c.json}});
    return rest;
}

/// The cases: each value of one list with each of the others.
void expand(CompareCall& c, const Arguments& arguments)
{
    constexpr const char* lists[] = {"--version", "--tiles", "--sched", "--plan",
                                     "--cpus",    "--cuda",  "--opencl"};
    c.cases = {{}};
    c.factors = {{}};
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& word = arguments[i];
        const std::size_t equals = word.find('=');
        const std::string name = word.substr(0, equals);
        const bool list = std::find(std::begin(lists), std::end(lists), name) != std::end(lists);
        std::string value = equals == word.npos ? "" : word.substr(equals + 1);
        if (list && equals == word.npos) {
            if (i + 1 == arguments.size()) throw Error(name + ": a list is missing");
            value = arguments[++i];
        }
        if (!list) {
            for (Arguments& one : c.cases) one.push_back(word);
            continue;
        }
        CompareCall all;
        for (const std::string_view text : split(value, ',')) {
            if (text.empty()) throw Error(name + ": an empty value");
            for (std::size_t k = 0; k < c.cases.size(); ++k) {
                all.cases.push_back(c.cases[k]);
                all.cases.back().insert(all.cases.back().end(), {name, std::string(text)});
                all.factors.push_back(c.factors[k]);
                all.factors.back().emplace_back(name.substr(2), text);
            }
        }
        c.cases = std::move(all.cases);
        c.factors = std::move(all.factors);
        constexpr std::size_t most = 1000;
        if (c.cases.size() > most) throw Error("compare: more than 1000 cases");
    }
}

StudyCommand parse_compare(const Arguments& arguments)
{
    if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h")
        return cli::Text{help() +
                         "\nOptions of compare: --rounds N [10], each of which runs every case "
                         "once; --seed N [1], of their order;\n--out DIR [compare-study]; "
                         "--json FILE; --quiet\n"};
    CompareCall c;
    c.kind = &kind_named(arguments[0], "study");
    expand(c, parse_own(c, {arguments.begin() + 1, arguments.end()}));
    for (std::size_t k = 0; k < c.cases.size(); ++k) { // a bad one is refused before any runs
        const auto parsed = parse_study(*c.kind, c.cases[k]);
        if (const auto* text = std::get_if<cli::Text>(&parsed)) return *text;
        const FrameOptions& o = std::get<StudyCall>(parsed).frame;
        if (o.repeat != 1 || !o.trace.empty())
            throw Error("compare: --rounds stands for --repeat, and there is no --trace");
    }
    return c;
}

} // namespace

std::vector<int> parse_numbers(const char* option, const std::string& text, int count, int most,
                               std::optional<int> otherwise)
{
    std::vector<int> numbers;
    for (const std::string_view piece : split(text, 'x')) {
        const auto n = parse_number<int>(piece);
        if (!n || *n < 1 || *n > most || int(numbers.size()) == count)
            throw Error(fmt::format("{}: {} is not {} whole number{} from 1 to {}{}", option,
                                    qcd::quoted(text), count, count == 1 ? "" : "s", most,
                                    count == 1 ? "" : ", joined by x"));
        numbers.push_back(*n);
    }
    if (int(numbers.size()) < count && !otherwise)
        throw Error(fmt::format("{}: {} is not {} whole numbers from 1 to {}, joined by x", option,
                                qcd::quoted(text), count, most));
    numbers.resize(std::size_t(count), otherwise.value_or(1));
    return numbers;
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
        throw Error(fmt::format("--plan batch: for one worker, there are {} (--cpus, --cuda, "
                                "--opencl, --cores-per-worker)",
                                w.all()));
    if (o.plan == PlanKind::pinned)
        for (int worker = 0; worker < w.all(); ++worker) plan.owners.push_back(worker);
    return plan;
}

} // namespace qcd::studies
