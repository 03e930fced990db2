#include "drivers/cli/argument_checks.hpp"
#include "drivers/cli/case_factors.hpp"
#include "drivers/cli/option_groups.hpp"
#include "lattice/gauge_source.hpp"

#include <map>

namespace qcd::cli
{

namespace
{

using Typed = std::map<std::string, std::string>; // by key

void add_cases(Parser& app, Typed& typed, std::string& file)
{
    app.option_defaults()->group("Cases: each value of one list with each of the others");
    for (const FactorKind& kind : factor_kinds())
        app.add_option(kind.option, typed[kind.key()], kind.meaning)->type_name(kind.type);
    for (const char* other : {"--tiles", "--sched"}) // each slab has its worker
        app.get_option("--split")->excludes(app.get_option(other));
    CLI::Option* cases =
        app.add_option("--cases", file,
                       "in place of lists: comma-separated values, in the first line the names of "
                       "lists, then a case in each; what is left empty is chosen")
            ->type_name("FILE");
    for (const FactorKind& kind : factor_kinds()) cases->excludes(app.get_option(kind.option));
}

/// Equal values are cases of their own: they show how much two runs of one case differ.
std::vector<CaseFactor> finish_factors(const Parser& app, const Typed& typed, bool& all_schedulers)
{
    std::vector<CaseFactor> factors;
    for (const FactorKind& kind : factor_kinds()) {
        if (!app.given(kind.option)) continue;
        CaseFactor factor{kind.key(), {}};
        const std::string& list = typed.at(factor.key);
        all_schedulers = all_schedulers || (factor.key == "sched" && list == "all");
        for (const std::string_view text : split(list, ',')) {
            if (factor.key == "sched" && all_schedulers) continue;
            if (text.empty()) throw Error(fmt::format("{}: an empty value", kind.option));
            factor.values.push_back(case_value(factor.key, std::string(text)));
        }
        factors.push_back(std::move(factor));
    }
    return factors;
}

/// `what`, and why not.
void require_simulated_case(const SolveOptions& o, const std::string& what)
{
    try {
        require_simulated(o);
    } catch (const Error& e) {
        throw Error(fmt::format("--simulate: {}{}", what, e.what()));
    }
}

/// All that is common to the cases, each value of a list and each line of a table acts in
/// simulate_arguments(), or is refused here.
void finish_simulate(const Parser& app, CompareOptions& o)
{
    if (!app.given("--simulate")) return;
    if (o.machine != "this") check_readable("--simulate", o.machine);
    for (const char* option : {"--tol", "--max-iterations", "--verbose"})
        if (app.given(option)) throw Error(fmt::format("--simulate: {} is not simulated", option));
    constexpr int iterations = 20;
    if (!o.solve.iterations) o.solve.iterations = iterations;
    require_simulated_case(o.solve, "");
    for (const CaseFactor& factor : o.factors)
        for (const CaseValue& value : factor.values) {
            SolveOptions one = o.solve;
            value.set(one);
            require_simulated_case(one, fmt::format("--{} {}: ", factor.key, value.text));
        }
    if (!o.table) return;
    for (const CaseLine& line : o.table->lines) {
        SolveOptions one = o.solve;
        for (const CaseValue& value : line.values) value.set(one);
        require_simulated_case(
            one, fmt::format("{}, line {}: ", qcd::quoted(o.cases_file), line.number));
    }
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
    add_cases(app, typed, o.cases_file);
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
        ->type_name("DIR")
        ->capture_default_str();
    app.add_option("--simulate", o.machine,
                   "simulate each case once on this machine (simulate --machine), and run none")
        ->type_name("FILE|this")
        ->excludes(app.get_option("--repeat"))
        ->excludes(app.get_option("--seed"))
        ->excludes(app.get_option("--out"));
    add_problem(app, o.solve.problem);
    app.remove_option(app.get_option("--save-gauge")); // many runs, one field
    add_method(app, o.solve);
    add_gpu_memory(app, o.solve.machine);
    add_output(app, o.output);
    if (const auto text = app.run(arguments)) return *text;
    o.factors = finish_factors(app, typed, o.all_schedulers);
    if (app.given("--cases")) {
        check_readable("--cases", o.cases_file);
        o.table = read_cases(o.cases_file);
    }
    while (o.folder.size() > 1 && o.folder.back() == '/') o.folder.pop_back();
    check_folder("--out", o.folder);
    finish_problem(app, o.solve.problem, o.solve.links);
    finish_method(app, o.solve);
    if (app.given("--stencil") && app.given("--even-odd") && o.solve.even_odd)
        throw Error("--even-odd: versions of --stencil act on all sites, and so does auto beside "
                    "them: use --even-odd off");
    finish_output(app, o.output);
    finish_simulate(app, o);
    OptionFiles files{{"--gauge", is_generated(o.solve.problem.gauge) ? "" : o.solve.problem.gauge},
                      {"--config", app.config_file()},
                      {"--cases", o.cases_file},
                      {"--json", o.output.json}};
    for (const char* name :
         {"design.json", "runs.csv", "calibration.json", "compare.json", "runs.Rmd"})
        files.emplace_back("--out", o.folder + "/" + name);
    check_different(files);
    o.solve.output.verbose = o.output.verbose;
    return o;
}

} // namespace qcd::cli
