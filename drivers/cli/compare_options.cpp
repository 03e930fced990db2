#include "drivers/cli/argument_checks.hpp"
#include "drivers/cli/option_groups.hpp"
#include "lattice/gauge_source.hpp"

#include <array>

namespace qcd::cli
{

namespace
{

using Setter = std::function<void(SolveOptions&)>;

Setter plan_setter(const std::string& text)
{
    return [plan = parse_plan(text)](SolveOptions& o) { o.plan = plan; };
}

Setter tiles_setter(const std::string& text)
{
    std::optional<Extents> tiles;
    if (text != "auto") tiles = parse_extents(text, "--tiles");
    return [tiles](SolveOptions& o) { o.machine.tiles = tiles; };
}

Setter split_setter(const std::string& text)
{
    std::optional<Split> split;
    if (text != "none") split = {auto_or("--split", text, 0.0, 1.0, "none, auto")};
    return [split](SolveOptions& o) { o.machine.split = split; };
}

Setter scheduler_setter(const std::string& text)
{
    return [text](SolveOptions& o) { o.machine.sched = text; };
}

/// "cpus:2", "cpus:1x4": one worker of four cores, "cuda:1+cpus:3"; kinds that are not named have
/// none.
Setter workers_setter(const std::string& text)
{
    if (text == "auto") return [](SolveOptions&) {};
    const Error wrong(fmt::format("--workers: {} is none of auto, cpus:N, cpus:NxCORES, cuda:N, "
                                  "opencl:N, or several of them joined by +",
                                  qcd::quoted(text)));
    constexpr int most = 4096;
    const auto number = [&](std::string_view digits) {
        const std::optional<int> n = parse_number<int>(digits);
        if (!n || *n < 1 || *n > most) throw wrong;
        return *n;
    };
    MachineOptions m;
    for (const std::string_view part : split(text, '+')) {
        const std::size_t colon = part.find(':');
        const std::string_view kind = part.substr(0, colon);
        if (colon == part.npos) throw wrong;
        std::optional<int>& count = kind == "cpus" ? m.cpus : kind == "cuda" ? m.cuda : m.opencl;
        if (count || (kind != "cpus" && kind != "cuda" && kind != "opencl")) throw wrong;
        const std::string_view digits = part.substr(colon + 1);
        const std::size_t times = kind == "cpus" ? digits.find('x') : digits.npos;
        count = number(digits.substr(0, times));
        if (kind == "cpus")
            m.cores_per_worker = times == digits.npos ? 1 : number(digits.substr(times + 1));
    }
    return [m](SolveOptions& o) {
        o.machine.cpus = m.cpus.value_or(0);
        o.machine.cuda = m.cuda.value_or(0);
        o.machine.opencl = m.opencl.value_or(0);
        o.machine.cores_per_worker = m.cores_per_worker;
    };
}

struct FactorOption {
    const char *name, *type, *meaning;
    Setter (*setter)(const std::string& text);
};
constexpr FactorOption factor_options[]{
    {"--plan", "PLAN,...", "auto, graph, pinned, batch[:N], linked[:N]", plan_setter},
    {"--sched", "NAME,...|all", "StarPU's scheduling policies; all: each that it has",
     scheduler_setter},
    {"--tiles", "XxYxZxT,...", "numbers of tiles per direction, auto", tiles_setter},
    {"--split", "FRACTION,...", "shares of the sites on devices, auto, none", split_setter},
    {"--workers", "WORKERS,...",
     "auto, or of cpus:N, cpus:NxCORES, cuda:N, opencl:N several joined by +", workers_setter}};

using Typed = std::array<std::string, std::size(factor_options)>;

void add_factors(Parser& app, Typed& typed)
{
    app.option_defaults()->group("Cases: each value of one list with each of the others");
    for (std::size_t i = 0; i < typed.size(); ++i)
        app.add_option(factor_options[i].name, typed[i], factor_options[i].meaning)
            ->type_name(factor_options[i].type);
    for (const char* other : {"--tiles", "--sched"}) // each slab has its worker
        app.get_option("--split")->excludes(app.get_option(other));
}

/// Equal values are cases of their own: they show how much two runs of one case differ.
std::vector<CaseFactor> finish_factors(const Parser& app, const Typed& typed, bool& all_schedulers)
{
    std::vector<CaseFactor> factors;
    for (std::size_t i = 0; i < typed.size(); ++i) {
        const FactorOption& option = factor_options[i];
        if (!app.given(option.name)) continue;
        CaseFactor factor{option.name + 2, {}};
        all_schedulers = all_schedulers || (factor.key == "sched" && typed[i] == "all");
        for (const std::string_view value : split(typed[i], ',')) {
            if (factor.key == "sched" && all_schedulers) continue;
            const std::string text(value);
            if (text.empty()) throw Error(fmt::format("{}: an empty value", option.name));
            const auto equal =
                std::count_if(factor.values.begin(), factor.values.end(), [&](const CaseValue& v) {
                    return v.text.substr(0, v.text.find(" #")) == text;
                });
            factor.values.push_back(
                {equal ? fmt::format("{} #{}", text, equal + 1) : text, option.setter(text)});
        }
        factors.push_back(std::move(factor));
    }
    return factors;
}

} // namespace

Command parse_compare(const std::vector<std::string>& arguments)
{
    CompareOptions o;
    o.solve.output.quiet = true;
    Parser app("compare",
               "Solve D x = b in several ways, in turn; say which is faster, and whether "
               "that is certain.");
    Typed typed;
    add_factors(app, typed);
    app.option_defaults()->group("Measurement");
    app.add_option("--repeat", o.rounds, "rounds, each of which runs every case once")
        ->type_name("N")
        ->transform(whole(1, 100000))
        ->capture_default_str();
    app.add_option("--seed", o.seed, "of the order of the cases in each round")
        ->type_name("N")
        ->transform(whole(0, most_repetitions))
        ->capture_default_str();
    app.add_option("--out", o.folder,
                   "folder for runs.csv, compare.json and plots; what it has is not run again")
        ->type_name("DIR");
    add_problem(app, o.solve.problem);
    app.remove_option(app.get_option("--save-gauge")); // many runs, one field
    add_method(app, o.solve);
    add_gpu_memory(app, o.solve.machine);
    add_tune(app, o.solve.machine);
    add_output(app, o.output);
    if (const auto text = app.run(arguments)) return *text;
    o.factors = finish_factors(app, typed, o.all_schedulers);
    if (o.factors.empty())
        throw Error("compare: nothing to compare: give --plan, --sched, --tiles, --split or "
                    "--workers a list");
    if (!app.given("--out")) throw Error("compare: --out DIR is needed");
    while (o.folder.size() > 1 && o.folder.back() == '/') o.folder.pop_back();
    check_folder("--out", o.folder);
    finish_problem(app, o.solve.problem, o.solve.links);
    finish_method(app, o.solve);
    finish_output(app, o.output);
    OptionFiles files{{"--gauge", is_generated(o.solve.problem.gauge) ? "" : o.solve.problem.gauge},
                      {"--config", app.config_file()},
                      {"--json", o.output.json}};
    for (const char* name : {"design.json", "runs.csv", "compare.json"})
        files.emplace_back("--out", o.folder + "/" + name);
    check_different(files);
    o.solve.output.verbose = o.output.verbose;
    return o;
}

} // namespace qcd::cli
