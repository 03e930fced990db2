#include "drivers/spec/commands.hpp"

#include "drivers/spec/case_factors.hpp"
#include "drivers/spec/rules.hpp"
#include "lattice/gauge_source.hpp"
#include "lattice/several_sources.hpp"
#include "lattice/spinor_source.hpp"
#include "program/cli/argument_checks.hpp"
#include "program/cli/parser.hpp"
#include "program/version.hpp"
#include "tasks/link_updates.hpp"
#include "traces/trace_folder.hpp"

#include <cctype>
#include <cmath>
#include <filesystem>

namespace fs = std::filesystem;

namespace qcd
{

namespace
{

using Names = std::vector<std::string>;
using Arguments = std::vector<std::string>;
using cli::Parser;
using cli::Text;

// ---- fields

Names joined(Names a, const Names& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}
/// The fields of a run that the help has in this group, without some.
Fields<RunSpec> group_but(std::string_view group, const Names& without)
{
    Fields<RunSpec> some;
    for (const Field<RunSpec>& f : run_fields())
        if (f.group == group &&
            std::find(without.begin(), without.end(), f.name()) == without.end())
            some.push_back(f);
    return some;
}
Fields<RunSpec> run_fields_named(const Names& names)
{
    Fields<RunSpec> some;
    for (const std::string& name : names) some.push_back(run_field(name));
    return some;
}
/// Which D and b, or what is left of that.
Fields<RunSpec> problem_fields(const Names& without = {})
{
    return group_but("Problem", joined(without, {"--guess", "--guess-number", "--resume"}));
}
const Names of_spinor_files{"--source-number", "--basis", "--phases"};
Fields<RunSpec> method_fields(const Names& without = {})
{
    return group_but("Method", joined(without, {"--ladder", "--multiple", "--repeat"}));
}
/// The fields of the method that a simulation acts on.
Fields<RunSpec> simulated_method_fields()
{
    return method_fields(joined({"--tol", "--max-iterations", "--sloppy", "--sloppy-drop", "--rhs"},
                                Names(of_multigrid.begin(), of_multigrid.end())));
}
Fields<RunSpec> worker_fields(const Names& without = {})
{
    return group_but("Machine", joined(without, {"--engine", "--plan", "--split"}));
}
Fields<RunSpec> print_fields() { return run_fields_named({"--json", "--quiet", "--verbose"}); }

/// Fields of a run, as fields of a struct that has one as its member `run`.
template <class S>
Fields<S> on_run(std::initializer_list<Fields<RunSpec>> parts)
{
    Fields<S> all;
    for (const Fields<RunSpec>& part : parts)
        for (Field<S>& f : fields_of<S>(part, QCD_AT(run))) {
            f.is_of_run = true;
            all.push_back(std::move(f));
        }
    return all;
}
template <class S>
Fields<S> operator+(Fields<S> a, Fields<S> b)
{
    for (Field<S>& f : b) a.push_back(std::move(f));
    return a;
}

/// What a command says of an option in other words; null: in the same ones.
struct OtherWords {
    std::string_view name;
    const char *default_text, *help = nullptr, *type = nullptr;
};
template <class S>
Fields<S> described(Fields<S> fields, std::initializer_list<OtherWords> words)
{
    for (const OtherWords& of : words)
        for (Field<S>& f : fields) {
            if (f.name() != of.name) continue;
            if (of.default_text) f.default_text = of.default_text;
            if (of.help) f.help = of.help;
            if (of.type) f.type = of.type;
        }
    return fields;
}
constexpr OtherWords precondition_without_multigrid{
    "--precondition", nullptr,
    "what gcr applies to its residual in each iteration: N iterations of a method, in the "
    "precision of --precision; schwarz: N steps of relaxation in each domain",
    "off|schwarz|mr|gcr|bicgstab|cr|cg[:N]"};

// ---- parsing

/// Everyday options first.
template <class S>
void add_fields(Parser& app, S& s, const Fields<S>& fields)
{
    for (const Audience audience : {Audience::everyday, Audience::advanced})
        for (const Field<S>& f : fields) {
            if (f.audience != audience) continue;
            app.option_defaults()->group(f.group +
                                         (audience == Audience::advanced ? ", advanced" : ""));
            if (f.flag) {
                app.add_flag(f.names, f.flag(s), f.help);
                continue;
            }
            CLI::Option* option =
                f.is_list
                    ? app.add_option_function<std::vector<std::string>>(
                             f.names,
                             [&s, &f](const std::vector<std::string>& texts) {
                                 f.parse(s, fmt::format("{}", fmt::join(texts, ",")));
                             },
                             f.help)
                          ->delimiter(',')
                    : app.add_option_function<std::string>(
                          f.names, [&s, &f](const std::string& text) { f.parse(s, text); }, f.help);
            option->type_name(f.type)->default_str(f.default_text);
            if (!f.names.starts_with('-')) option->configurable(false);
        }
    for (const Field<S>& f : fields)
        for (const std::string& other : f.excludes)
            if (CLI::Option* there = app.get_option_no_throw(other))
                app.get_option(f.name())->excludes(there);
}

/// What was asked for, beside its values.
struct Typed {
    Given given;
    Given of_run; ///< of these the run's own options, for which its rules are
    std::string config_file;
    bool has(std::string_view option) const { return given.contains(option); }
};

/// finish(s, call) checks what is this command's, and throws Error.
template <class S>
Command parse_command(const char* name, const char* description, const Fields<S>& fields,
                      const Arguments& arguments, void (*finish)(S&, const Typed&))
{
    S s;
    Parser app(name, description);
    add_fields(app, s, fields);
    if (const auto text = app.run(arguments)) return *text;
    Typed call{{}, {}, app.config_file()};
    for (const Field<S>& f : fields) {
        if (!app.given(f.name())) continue;
        call.given.insert(f.name());
        if (f.is_of_run) call.of_run.insert(f.name());
    }
    finish(s, call);
    return s;
}

void require_run(const RunSpec& s, const Typed& call, Asker asker = Asker::one_process)
{
    require_possible(s, call.of_run, asker);
    require_files(s, call.of_run, call.config_file);
    const bool names_one =
        call.has("--sched") || call.has("--cases") || std::getenv("STARPU_SCHED") != nullptr;
    if (call.has("--sched-lib") && !names_one)
        throw Error("--sched-lib: --sched NAME says which of its policies");
}

/// `option` means something with `needs` alone.
void require_with(const Typed& call, const char* option, const char* needs, const char* sentence)
{
    if (call.has(option) && !call.has(needs)) throw Error("{}: {}", option, sentence);
}

template <class Names>
cli::OptionFiles files_in(const char* option, const std::string& folder, const Names& names)
{
    cli::OptionFiles files;
    for (const char* name : names) files.emplace_back(option, fs::path(folder) / name);
    return files;
}
/// Checks the outputs as rules.hpp does, and that the file of --json can be written.
void keep_apart(const RunSpec& s, const Typed& call, const cli::OptionFiles& read,
                const cli::OptionFiles& written)
{
    if (call.has("--json")) cli::check_output("--json", s.output.json());
    qcd::keep_apart(s, call.config_file, read, written);
}

/// What --plot writes into its folder, and the folder; nothing: there is none.
cli::OptionFiles plot_files(const std::string& folder, const std::string& name)
{
    if (folder.empty()) return {};
    cli::OptionFiles files{{"--plot", folder}};
    for (const char* ending : {".dat", ".gp", ".svg", ".png"})
        files.emplace_back("--plot", fs::path(folder) / (name + ending));
    return files;
}

/// The file of a machine; "this" is none.
std::string machine_file(const char* option, const std::string& machine)
{
    if (machine == "this") return "";
    cli::check_readable(option, machine);
    return machine;
}

// ---- the commands

Fields<SolveSpec> solve_fields()
{
    return described(
        on_run<SolveSpec>({run_fields()}),
        {{"--cpus", nullptr, "CPU workers; threads of --engine openmp"},
         {"--verbose", nullptr,
          "print StarPU's warnings, too; after a solve by multigrid, what each level does"}});
}
void finish_solve(SolveSpec& s, const Typed& call)
{
    require_run(s.run, call);
    const std::string& source = s.run.problem.source();
    if (is_generated_source(source)) // is it of so many?
        source_of_several(source, 0, s.run.execution.rhs().value_or(1));
}

Fields<ApplySpec> apply_fields()
{
    return on_run<ApplySpec>({problem_fields(), run_fields_named({"--precision", "--links"}),
                              worker_fields(), print_fields(), run_fields_named({"--save-gauge"})});
}
void finish_apply(ApplySpec& s, const Typed& call) { require_run(s.run, call); }

Fields<PropagatorSpec> propagator_fields()
{
    using S = PropagatorSpec;
    const Rows<S> source{"Problem", Role::identity}, method{"Method", Role::execution},
        in{"Output", Role::output};
    const Codec<Smearing> smearing{
        parse_smearing, [](const Smearing& s) { return fmt::format("{},{}", s.width, s.steps); },
        "W,N"};
    return described(on_run<S>({problem_fields(joined({"--source"}, of_spinor_files)),
                                method_fields({"--iterations", "--rhs"}), worker_fields(),
                                run_fields_named({"--plan"}), print_fields(),
                                run_fields_named({"--save-gauge", "--mg-save", "--dry-run"})}),
                     {{"--solver", "cg; as in solve where --sloppy or --precision is typed"},
                      {"--sloppy", "single; off where --solver or --precision is typed"}}) +
           Fields<S>{source(QCD_AT(point), text("X,Y,Z,T"), "--point",
                            "source: 1 on this site, for each spin and colour",
                            by_default("0,0,0,0")),
                     source(QCD_AT(wall), or_none(whole_number(0, max_extent, "T")), "--wall",
                            "source: 1 on all sites of this time slice, for each spin and colour",
                            excluding({"--point"})),
                     source(QCD_AT(smearing), or_none(smearing), "--smeared",
                            "smear the point in space: width W in lattice spacings, by N steps",
                            excluding({"--wall"})),
                     method(QCD_AT(run.execution.rhs), or_none(whole_number(1, 12)), "--rhs",
                            "how many of the 12 sources are solved together",
                            by_default("as many as memory holds; 1 with --resume")),
                     in(QCD_AT(save), text("FILE"), "--save",
                        "write the propagator to this file: HDF5 if it ends in .h5 or .hdf5, else "
                        "SciDAC"),
                     in(QCD_AT(phases), or_none(written_phases_codec()), "--phases",
                        "where the boundary phases of --save's file are: at the boundary, or "
                        "spread over all links",
                        advanced, by_default("boundary")),
                     in.flag(QCD_AT(resume), "--resume",
                             "keep each solution beside --save's file until all are there; the "
                             "same command goes on with those of a run that was interrupted"),
                     in(QCD_AT(plot), folder(), "--plot",
                        "draw the correlators into this folder, by gnuplot: pion.svg, .png")};
}
void finish_propagator(PropagatorSpec& p, const Typed& call)
{
    for (const char* option : {"--plot", "--save"})
        if (p.run.output.dry_run() && call.has(option))
            throw Error("{}: with --dry-run nothing is computed or written", option);
    require_with(call, "--resume", "--save",
                 "without --save there is no file to keep solutions beside");
    require_with(call, "--phases", "--save", "without --save it means nothing");
    p.run.problem.source = p.source() + ",0,0";
    require_run(p.run, call);
    if (call.has("--plot")) cli::check_folder("--plot", p.plot());
    if (call.has("--save")) cli::check_writable("--save", p.save());
    cli::OptionFiles written = plot_files(p.plot(), "pion");
    written.emplace_back("--save", p.save());
    keep_apart(p.run, call, {}, written);
}

const Words<std::vector<Precision>> precision_sets{{"both", {Precision::f64, Precision::f32}},
                                                   {"double", {Precision::f64}},
                                                   {"single", {Precision::f32}},
                                                   {"half", {Precision::f16}}};
const Words<std::vector<LinkStorage>> storage_sets{
    {"18", {LinkStorage::full}},
    {"12", {LinkStorage::two_rows}},
    {"8", {LinkStorage::minimal}},
    {"all", {LinkStorage::full, LinkStorage::two_rows, LinkStorage::minimal}}};

Fields<BenchSpec> bench_fields()
{
    using S = BenchSpec;
    const Rows<S> in{"Benchmark", Role::execution}, machine{"Machine", Role::execution},
        written{"Benchmark", Role::output};
    return Fields<S>{
               in.flag(QCD_AT(grain), "--grain",
                       "measure how small tasks may be: solve, hop and heat on tilings from one "
                       "tile a worker to the smallest"),
               in(QCD_AT(lattices), list_of(extents()), "--lattice",
                  "lattices, joined by commas; with --grain one",
                  by_default("8x8x8x16,16x16x16x32,24x24x24x48; with --grain 8x8x8x16")),
               in(QCD_AT(ops), list_of(text("NAME")), "--ops",
                  "only operations whose name contains one of these; with --grain only these of "
                  "solve, hop, heat"),
               in(QCD_AT(precisions), one_of(precision_sets), "--precision,--prec",
                  "precision of fields and arithmetic; with --grain one",
                  by_default("both; with --grain double")),
               in(QCD_AT(links), one_of(storage_sets), "--links,--recon",
                  "reals that a link is stored in"),
               in(QCD_AT(repeat), whole_number(1, most_repetitions), "--repeat",
                  "time each operation N times, report the median; with --grain: rounds",
                  by_default("10; with --grain 5")),
               in(QCD_AT(seed), whole_number(0, most_repetitions), "--seed",
                  "with --grain: seed of the order in each round"),
               written(QCD_AT(folder), folder(), "--out",
                       "with --grain: folder for runs.csv and plots; what it has is not run again",
                       by_default("none")),
               in(QCD_AT(rhs), whole_number(1, most_rhs), "--rhs",
                  "how many right-hand sides an operation is on together")} +
           described(on_run<S>({worker_fields({"--sched"}), print_fields()}),
                     {{"--cpus", "all cores"}, {"--cuda", "1"}, {"--opencl", "1"}}) +
           Fields<S>{
               machine(
                   QCD_AT(schedulers), list_of(text("NAME")), "--sched",
                   "StarPU's scheduling policy: lws, dmdas, eager, ...; with --grain several",
                   by_default("lws on cores, dmdas with devices; with --grain lws,eager,dmdas")),
               machine.flag(
                   QCD_AT(oversubscribe), "--oversubscribe",
                   "measure also with more CPU workers than cores, or than their CPU time allows",
                   advanced)};
}
/// One lattice in one precision, several schedulers, rounds.
void finish_grain(BenchSpec& b, const Typed& call)
{
    for (const char* option : {"--links", "--rhs", "--tiles"})
        if (call.has(option))
            throw Error("{}: with --grain {}", option,
                        std::string_view(option) == "--tiles"
                            ? "tilings are those from one tile a worker to the smallest"
                            : "there is one right-hand side, and links are as a solve has them");
    if (!call.has("--lattice")) b.lattices = std::vector<Extents>{{8, 8, 8, 16}};
    if (!call.has("--precision")) b.precisions = std::vector{Precision::f64};
    if (!call.has("--repeat")) b.repeat = 5;
    if (b.schedulers().empty()) {
        const char* const asked = std::getenv("STARPU_SCHED");
        b.schedulers = asked ? std::vector<std::string>{asked}
                             : std::vector<std::string>{"lws", "eager", "dmdas"};
    }
    for (const std::string& name : b.schedulers())
        if (std::count(b.schedulers().begin(), b.schedulers().end(), name) > 1)
            throw Error("--sched: {} is there twice", qcd::quoted(name));
    const auto asks_for = [&](std::string_view workload) {
        return b.ops().empty() ||
               std::any_of(b.ops().begin(), b.ops().end(), [&](const std::string& part) {
                   return workload.find(part) != workload.npos;
               });
    };
    if (!asks_for("solve") && !asks_for("hop") && asks_for("heat"))
        for (const char* option : {"--lattice", "--precision"})
            if (call.has(option))
                throw Error("{}: heat is on a plane of its own, in whole numbers", option);
    if (b.lattices().size() > 1) throw Error("--lattice: with --grain one lattice");
    if (b.precisions().size() > 1 || is_fixed_point(b.precisions().front()))
        throw Error("--precision: with --grain double or single");
    if (call.has("--out")) cli::check_folder("--out", b.folder());
}
void finish_bench(BenchSpec& b, const Typed& call)
{
    const auto empty = [](const std::vector<std::string>& names) {
        return std::count(names.begin(), names.end(), "") > 0;
    };
    if (empty(b.schedulers())) throw Error("--sched: an empty name");
    if (b.grain()) {
        finish_grain(b, call);
    } else {
        require_with(call, "--seed", "--grain", "without --grain it means nothing");
        require_with(call, "--out", "--grain", "without --grain it means nothing");
        if (b.schedulers().size() > 1)
            throw Error("--sched: several schedulers are measured with --grain");
        if (!b.schedulers().empty()) b.run.execution.sched = b.schedulers().front();
    }
    if (empty(b.ops())) throw Error("--ops: an empty name");
    if (b.precisions().front() == Precision::f16 &&
        std::count(b.links().begin(), b.links().end(), LinkStorage::minimal) > 0)
        throw Error("--precision half: links of 8 reals are none in 16 bits: use --links 12 or 18");
    for (const Extents& l : b.lattices()) require_lattice(l, "--lattice");
    RunSpec run = b.run;
    run.problem.lattice = b.lattices().front();
    require_run(run, call);
    keep_apart(run, call, {}, {{"--out", b.folder()}});
}

/// The fields that say how often a comparison measures, and where it keeps that.
template <class S>
Fields<S> rounds_fields(const char* cases, const char* files)
{
    const Rows<S> in{"Measurement", Role::execution}, written{"Measurement", Role::output};
    return {in(QCD_AT(rounds.rounds), whole_number(1, 100000), "--repeat",
               fmt::format("rounds, each of which runs every {} once", cases)),
            in(QCD_AT(rounds.seed), whole_number(0, most_repetitions), "--seed",
               fmt::format("seed of the order of the {}s in each round", cases)),
            written(QCD_AT(rounds.folder), folder(), "--out",
                    fmt::format("folder for {}; what it has is not run again", files))};
}
/// No file may be written over what the folder has, or over another.
void keep_folder_apart(const RunSpec& s, const RoundsSpec& r, const Typed& call,
                       std::initializer_list<const char*> names, const cli::OptionFiles& read = {})
{
    cli::check_folder("--out", r.folder());
    keep_apart(s, call, read, files_in("--out", r.folder(), names));
}
constexpr std::initializer_list<const char*> compare_files{
    "design.json", "runs.csv", "calibration.json", "compare.json", "runs.Rmd"};

constexpr const char* lattice_of_ensemble =
    "sites in x, y, z and t, all even; a file of --start says it by itself";
/// What decides on the fields, but for the seed.
Fields<GenerateSpec> ensemble_fields()
{
    using S = GenerateSpec;
    const Rows<S> of{"Ensemble", Role::identity};
    return {of(QCD_AT(beta),
               or_none(real_number([](double b) { return b >= 0 && b <= most_beta; },
                                   fmt::format("a number from 0 to {:g}", most_beta), "B")),
               "--beta", "coupling 6/g^2 of Wilson's action -beta/3 sum of Re tr of plaquettes"),
            of(QCD_AT(start), text("cold|hot|FILE"), "--start",
               "first field: all links 1, random links of the seed, or a gauge file"),
            of(QCD_AT(sweeps), whole_number(0, most_sweeps), "--sweeps",
               "sweeps in all: heat bath, then overrelaxation, of every link"),
            of(QCD_AT(overrelaxations), whole_number(0, 1000, "K"), "--overrelax",
               "overrelaxations of every link after each heat bath"),
            of(QCD_AT(reunitarize), whole_number(1, most_sweeps), "--reunitarize-every",
               "bring the links back into SU(3), out of which rounding takes them, after so many "
               "sweeps",
               advanced)};
}
bool starts_from_file(const GenerateSpec& s) { return s.start() != "cold" && s.start() != "hot"; }
/// Nothing that decides on the fields is missing. resumed: a file says the lattice.
void require_ensemble(const GenerateSpec& s, const RunSpec& run, const Typed& call)
{
    if (!s.beta()) throw Error("--beta B is needed: the coupling 6/g^2, such as 6.0");
    if (!call.has("--sweeps")) throw Error("--sweeps N is needed");
    if (starts_from_file(s))
        cli::check_readable("--start", s.start());
    else if (!run.problem.lattice() && !call.has("--resume"))
        throw Error(fmt::format("--lattice XxYxZxT is needed with --start {}", s.start()));
}
/// run's rules; a file says its lattice by itself.
void require_run_on_links(RunSpec run, const Typed& call)
{
    if (run.execution.plan() && run.execution.plan()->kind == PlanKind::linked)
        throw Error("--plan linked: links are updated by plan graph, pinned, batch or replay");
    if (!run.problem.lattice()) run.problem.lattice = Extents{4, 4, 4, 4};
    require_run(run, call);
}

/// The lists of cases, but for some, or a file of them.
Fields<CompareSpec> case_fields(const Names& without)
{
    using S = CompareSpec;
    const Rows<S> of_cases{"Cases: each value of one list with each of the others",
                           Role::execution};
    Fields<S> lists;
    Names keys;
    for (const FactorKind& kind : factor_kinds()) {
        if (std::find(without.begin(), without.end(), kind.key) != without.end()) continue;
        Field<S> f{{kind.names(), of_cases.group, kind.help, of_cases.role}, {}, {}, {}, {}};
        f.type = kind.type;
        f.parse = [key = std::string(kind.key)](S& s, const std::string& text) {
            s.lists[key] = text;
        };
        f.print = [key = std::string(kind.key)](const S& s) {
            const auto list = s.lists.find(key);
            return list == s.lists.end() ? "" : list->second;
        };
        f.is_default = [key = std::string(kind.key)](const S& s) { return !s.lists.contains(key); };
        if (f.names == "--split") f.excludes = {"--tiles", "--sched"}; // each slab has its worker
        keys.push_back(f.name());
        lists.push_back(std::move(f));
    }
    lists.push_back(of_cases(QCD_AT(cases_file), text("FILE"), "--cases",
                             "in place of lists: comma-separated values, in the first line the "
                             "names of lists, then a case in each; what is left empty is chosen",
                             excluding(keys)));
    return lists + rounds_fields<S>("case", "runs.csv, compare.json and plots");
}
/// Reads the cases.
void finish_cases(CompareSpec& s, const Typed& call)
{
    s.factors = case_factors(s.lists);
    const auto sched = s.lists.find("sched");
    s.all_schedulers = sched != s.lists.end() && sched->second == "all";
    if (!call.has("--cases")) return;
    cli::check_readable("--cases", s.cases_file());
    s.table = read_cases(s.cases_file());
}
/// one(run, where it stands) for each value of a list on what is common, or for each line of a file.
template <class One>
void for_each_case(const CompareSpec& s, const One& one)
{
    for (const CaseFactor& factor : s.factors)
        for (const CaseValue& value : factor.values) {
            RunSpec run = s.run;
            value.set(run);
            one(run, fmt::format("--{} {}: ", factor.key, value.text));
        }
    if (!s.table) return;
    for (const CaseLine& line : s.table->lines) {
        RunSpec run = s.run;
        for (const CaseValue& value : line.values) value.set(run);
        one(run, fmt::format("{}, line {}: ", qcd::quoted(s.cases_file()), line.number));
    }
}

Fields<CompareSpec> compare_fields()
{
    using S = CompareSpec;
    const Rows<S> in{"Measurement", Role::execution};
    return case_fields({}) +
           Fields<S>{
               in(QCD_AT(machine), text("FILE|this"), "--simulate",
                  "simulate each case once on this machine (simulate --machine), and run none",
                  excluding({"--repeat", "--seed", "--out"}))} +
           on_run<S>({problem_fields(), method_fields({"--rhs"}),
                      run_fields_named({"--sched-lib", "--gpu-memory"}), print_fields()});
}
constexpr int simulated_iterations = 20;

/// Each case, and what is common to them, acts where it is simulated, or is refused.
void require_simulated(CompareSpec& s, const Typed& call)
{
    machine_file("--simulate", s.machine());
    if (s.run.output.verbose()) throw Error("--simulate: --verbose is not simulated");
    const auto require = [&](const RunSpec& run, const std::string& what) {
        try {
            require_possible(run, call.of_run, Asker::simulation);
        } catch (const Error& e) {
            const std::string why = e.what(); // may begin with the case's own words
            throw Error("--simulate: {}{}", why.starts_with(what) ? "" : what, why);
        }
    };
    require(s.run, "");
    if (!s.run.method.iterations()) s.run.method.iterations = simulated_iterations;
    for_each_case(s, require);
}
void finish_compare(CompareSpec& s, const Typed& call)
{
    finish_cases(s, call);
    if (call.has("--ladder") && s.run.method.even_odd().value_or(false))
        throw Error("--even-odd: versions of --ladder act on all sites, and so does auto beside "
                    "them: use --even-odd off");
    require_run(s.run, call);
    if (call.has("--simulate")) require_simulated(s, call);
    keep_folder_apart(s.run, s.rounds, call, compare_files, {{"--cases", s.cases_file()}});
}

/// Lists that a comparison of solves has, and one of sweeps over links has not.
const Names of_solves_alone{"split", "ladder", "multiple"};
Fields<CompareSpec> compare_generate_fields()
{
    using S = CompareSpec;
    return described(
        case_fields(of_solves_alone) + on_run<S>({run_fields_named({"--lattice"})}) +
            fields_of<S>(ensemble_fields(), QCD_AT(ensemble)) +
            on_run<S>({run_fields_named({"--sched-lib", "--gpu-memory"}), print_fields()}),
        {{"--plan", nullptr, "auto, graph, pinned, batch[:N], replay[:FILE]"},
         {"--lattice", nullptr, lattice_of_ensemble}});
}
void finish_compare_generate(CompareSpec& s, const Typed& call)
{
    finish_cases(s, call);
    if (s.table)
        for (const std::string& key : of_solves_alone)
            if (std::find(s.table->keys.begin(), s.table->keys.end(), key) != s.table->keys.end())
                throw Error("--cases: {}: {} is of solves", qcd::quoted(s.cases_file()), key);
    require_ensemble(s.ensemble, s.run, call);
    if (s.ensemble.sweeps() == 0) throw Error("--sweeps 0: there is nothing to compare");
    s.ensemble.measure_every = 0;
    require_run_on_links(s.run, call);
    for_each_case(s,
                  [&](const RunSpec& run, const std::string&) { require_run_on_links(run, call); });
    keep_folder_apart(s.run, s.rounds, call, compare_files,
                      {{"--cases", s.cases_file()},
                       {"--start", starts_from_file(s.ensemble) ? s.ensemble.start() : ""}});
}

const Words<LadderDevice> ladder_devices{{"core", LadderDevice::core},
                                         {"cores", LadderDevice::cores},
                                         {"opencl", LadderDevice::opencl},
                                         {"cuda", LadderDevice::cuda}};

/// A list with no two values alike.
template <class T>
Codec<std::vector<T>> set_of(Codec<T> codec, std::string type)
{
    Codec<std::vector<T>> list = list_of(codec);
    list.parse = [parse = list.parse, print = codec.print](const std::string& text,
                                                           const std::string& option) {
        const std::vector<T> all = parse(text, option);
        for (std::size_t i = 0; i < all.size(); ++i)
            if (std::find(all.begin(), all.begin() + std::ptrdiff_t(i), all[i]) !=
                all.begin() + std::ptrdiff_t(i))
                throw Error("{}: {} is there twice", option, qcd::quoted(print(all[i])));
        return all;
    };
    list.type = std::move(type);
    list.is_list = false; // an empty value at its end is an error
    return list;
}

Fields<LadderSpec> ladder_fields()
{
    using S = LadderSpec;
    const Rows<S> in{"Rows", Role::execution};
    return Fields<S>{in(QCD_AT(versions), set_of(version_codec(), "VERSION,..."),
                        "--ladder,--stencil", "versions, and auto for today's kernels",
                        by_default("all, and auto")),
                     in(QCD_AT(multiples), set_of(multiple_codec(), "N,..."), "--multiple",
                        "sites of a work group on devices, in versions 1.2 and later"),
                     in(QCD_AT(devices), or_none(set_of(one_of(ladder_devices), "DEVICE,...")),
                        "--devices", "which of core (one), cores (all), opencl, cuda",
                        by_default("all that are here"))} +
           rounds_fields<S>("row", "runs.csv, ladder.json and charts") +
           described(
               on_run<S>({problem_fields({"--csw"}), run_fields_named({"--precision"}),
                          run_fields_named({"--iterations", "--gpu-memory"}), print_fields()}),
               {{"--lattice", "8x8x8x16"},
                {"--iterations", "as many as end in time on two cores, at most 143",
                 "iterations of Conjugate Residual in a run"}});
}
void finish_ladder(LadderSpec& s, const Typed& call)
{
    if (!call.has("--lattice") && is_generated(s.run.problem.gauge()))
        s.run.problem.lattice = Extents{8, 8, 8, 16};
    if (!call.has("--ladder")) {
        std::vector<const LadderVersion*> all;
        for (const LadderVersion& v : ladder_versions) all.push_back(&v);
        all.push_back(nullptr);
        s.versions = all;
    }
    s.run.method.even_odd = false;
    require_run(s.run, call);
    keep_folder_apart(s.run, s.rounds, call, {"design.json", "runs.csv", "ladder.json"});
}

Fields<SimulateSpec> simulate_fields()
{
    using S = SimulateSpec;
    const Rows<S> in{"Simulation", Role::execution};
    return Fields<S>{in(QCD_AT(machine), text("FILE|this"), "--machine",
                        "file of a machine; this: what qcd_starpu calibrate measured here")} +
           described(on_run<S>({problem_fields(of_spinor_files), simulated_method_fields(),
                                worker_fields({"--cores-per-worker", "--sched-lib"}),
                                run_fields_named({"--plan"}), print_fields(),
                                run_fields_named({"--trace"})}),
                     {{"--iterations", "20", "iterations that are simulated"},
                      {"--cuda", "all GPUs of the machine"},
                      {"--restart", "8"},
                      precondition_without_multigrid,
                      {"--trace", nullptr, "the simulated tasks, as solve --trace records them"},
                      {"--plan", "graph",
                       "who places tasks of one operation: StarPU's scheduler (graph), or the "
                       "owner of the tile (pinned)",
                       "graph|pinned"}});
}
void finish_simulate(SimulateSpec& s, const Typed& call)
{
    if (s.machine().empty()) throw Error("--machine FILE, or --machine this, is needed");
    const std::string file = machine_file("--machine", s.machine());
    require_run(s.run, call, Asker::simulation);
    if (!s.run.method.iterations()) s.run.method.iterations = simulated_iterations;
    if (!s.run.execution.plan()) s.run.execution.plan = PlanChoice{};
    keep_apart(s.run, call, {{"--machine", file}}, {});
}

Fields<CalibrateSpec> calibrate_fields()
{
    using S = CalibrateSpec;
    const Rows<S> in{"Measurement", Role::execution}, written{"Output", Role::output};
    return Fields<S>{in(QCD_AT(tiles), set_of(extents(), "XxYxZxT,..."), "--tiles",
                        "tilings whose tasks are timed, joined by commas",
                        by_default("1, 2 and 4 slabs in t for each worker")),
                     in(QCD_AT(rounds), whole_number(1, 1000), "--repeat",
                        "rounds, each of which runs everything once"),
                     written(QCD_AT(out), text("FILE"), "--out", "file of the machine",
                             by_default("where --machine this finds it"))} +
           described(
               on_run<S>({problem_fields(), simulated_method_fields(),
                          run_fields_named({"--cpus", "--cuda", "--opencl"}), print_fields()}),
               {{"--iterations", "20", "iterations of each run"},
                {"--restart", "8"},
                precondition_without_multigrid,
                {"--cpus", "all cores", "CPU workers at most"},
                {"--cuda", "all GPUs", "CUDA workers at most"}});
}
void finish_calibrate(CalibrateSpec& s, const Typed& call)
{
    require_run(s.run, call);
    if (is_multigrid(s.run.method)) throw Error("--precondition: multigrid is not simulated");
    if (!s.run.method.iterations()) s.run.method.iterations = simulated_iterations;
    if (call.has("--out")) cli::check_writable("--out", s.out());
    keep_apart(s.run, call, {}, {{"--out", s.out()}});
}

Fields<TraceSpec> trace_fields()
{
    using S = TraceSpec;
    using Iterations = std::pair<int, int>;
    const Rows<S> in{"Trace", Role::output};
    const auto ms = or_none(real_number([](double) { return true; }, "a finite number", "MS"));
    const auto read = [](const std::string& text) -> std::optional<Iterations> {
        const std::size_t colon = std::min(text.find(':'), text.size());
        const auto first = parse_number<int>(text.substr(0, colon));
        const auto last =
            parse_number<int>(std::string_view(text).substr(colon).substr(colon < text.size()));
        if (!first || !last || *first < 0 || *last < *first) return std::nullopt;
        return Iterations(*first, *last);
    };
    const auto range = codec<Iterations>(
        read, "is not A:B, iterations with 0 <= A <= B",
        [](const Iterations& r) { return fmt::format("{}:{}", r.first, r.second); }, "A:B");
    return Fields<S>{
               in(QCD_AT(folder), folder(""), "DIR",
                  "folder of a trace, or a file of --save-schedule"),
               in(QCD_AT(from), ms, "--from",
                  "show the trace from here on, ms; iterations and pictures have the same clock"),
               in(QCD_AT(to), ms, "--to", "show it to here, ms"),
               in(QCD_AT(iterations), or_none(range), "--iterations",
                  "show the time from the first start of iteration A to the last end of B",
                  excluding({"--from", "--to"})),
               in(QCD_AT(other), folder(), "--compare",
                  "say what takes longer in this trace, by kernel and worker"),
               in(QCD_AT(svg), text("FILE"), "--svg", "draw it into this file, by gnuplot"),
               in(QCD_AT(png), text("FILE"), "--png", "draw it into this file, a PNG"),
               in(QCD_AT(graph), text("FILE"), "--graph",
                  "draw the operations of an iteration and their data into this file, an SVG; "
                  "--iterations says which, the second one otherwise")} +
           on_run<S>({run_fields_named({"--json", "--quiet"})});
}
void finish_trace(TraceSpec& s, const Typed& call)
{
    if (s.folder().empty())
        throw Error("trace: DIR, the folder of a trace or a file of schedules, is needed");
    if (s.from() && s.to() && *s.to() <= *s.from())
        throw Error("--from, --to: no time is between them");
    if (call.has("--compare") && s.other().empty()) throw Error("--compare: empty");
    if (call.has("--svg")) cli::check_output("--svg", s.svg());
    if (call.has("--graph")) cli::check_output("--graph", s.graph());
    if (call.has("--png")) cli::check_output("--png", s.png());
    keep_apart(s.run, call, files_in("DIR", s.folder(), trace_files),
               {{"--svg", s.svg()}, {"--png", s.png()}, {"--graph", s.graph()}});
}

Fields<InfoSpec> info_fields() { return on_run<InfoSpec>({run_fields_named({"--json"})}); }
void finish_info(InfoSpec& s, const Typed& call) { keep_apart(s.run, call, {}, {}); }

const Words<int> file_precisions{{"single", 32}, {"double", 64}};
const Words<GaugeFormat>& format_words()
{
    static const Words<GaugeFormat> words = [] {
        Words<GaugeFormat> all;
        for (const GaugeFormatFacts& f : gauge_formats()) all.emplace_back(f.name, f.format);
        return all;
    }();
    return words;
}

/// Options of the commands that look at files of fields.
Fields<RunSpec> reading_fields()
{
    return run_fields_named({"--lattice", "--reunitarize", "--gauge-number", "--ignore-checksum"});
}

Fields<ConvertSpec> convert_fields()
{
    using S = ConvertSpec;
    const Rows<S> in{"Files", Role::output};
    return Fields<S>{in(QCD_AT(in), text(""), "IN",
                        "gauge file, or unit, random:SEED, weak:EPS[,SEED], gen:SEED,W, "
                        "quenched:BETA,SEED,SWEEPS"),
                     in(QCD_AT(out), text(""), "OUT", "gauge file to write"),
                     in(QCD_AT(format), or_none(one_of(format_words())), "--format",
                        "format of OUT", by_default("by OUT's ending, else nersc")),
                     in(QCD_AT(bits), or_none(one_of(file_precisions)), "--precision,--prec",
                        "precision of OUT's numbers", by_default("IN's"))} +
           described(on_run<S>({reading_fields(), run_fields_named({"--json", "--quiet"})}),
                     {{"--lattice", nullptr,
                       "sites of a generated field, or of a file that does not say them"},
                      {"--quiet", nullptr, "no text on stdout, no notes"}});
}
void finish_convert(ConvertSpec& s, const Typed& call)
{
    if (s.in().empty() || s.out().empty()) throw Error("convert: IN and OUT are needed");
    const bool generated = is_generated(s.in());
    if (!generated)
        cli::check_readable("IN", s.in());
    else if (!s.run.problem.lattice())
        throw Error("--lattice XxYxZxT is needed with {}", qcd::quoted(s.in()));
    for (const char* option : {"--gauge-number", "--ignore-checksum"})
        if (generated && call.has(option))
            throw Error("{}: for files, and {} is generated", option, qcd::quoted(s.in()));
    cli::check_writable("OUT", s.out());
    keep_apart(s.run, call, {{"IN", generated ? "" : s.in()}}, {{"OUT", s.out()}});
}

Fields<CheckSpec> check_fields()
{
    using S = CheckSpec;
    const Rows<S> in{"Files", Role::output};
    return Fields<S>{in(QCD_AT(files), list_of(text("")), "FILE",
                        "gauge files, files of spinors, checkpoints", of_type(""))} +
           described(on_run<S>({reading_fields(), run_fields_named({"--json", "--quiet"})}),
                     {{"--lattice", nullptr, "sites in files that do not say them"},
                      {"--quiet", nullptr, "no text on stdout"}});
}
void finish_check(CheckSpec& s, const Typed& call)
{
    if (s.files().empty()) throw Error("check: FILE is needed");
    cli::OptionFiles files;
    for (const std::string& file : s.files()) files.emplace_back("FILE", file);
    keep_apart(s.run, call, files, {});
}

Codec<std::uint64_t> seed_codec()
{
    return codec<std::uint64_t>(
        [](const std::string& text) { return parse_number<std::uint64_t>(text); },
        "is not a whole number from 0 to 2^64-1",
        [](const std::uint64_t& n) { return fmt::format("{}", n); }, "S");
}

Fields<GenerateSpec> generate_fields()
{
    using S = GenerateSpec;
    const Rows<S> of{"Ensemble", Role::identity}, measured{"Measurement", Role::output},
        files{"Output", Role::output};
    constexpr int most = most_sweeps;
    return on_run<S>({run_fields_named({"--lattice"})}) + ensemble_fields() +
           Fields<S>{
               of(QCD_AT(seed), seed_codec(), "--seed",
                  "seed of the random numbers, which are functions of it, sweep, site and "
                  "direction"),
               files(QCD_AT(save), text("FILE"), "--save",
                     "write the last field to this file, with --every others, too; %d stands for "
                     "the sweep, %05d with five digits"),
               files(QCD_AT(every), or_none(whole_number(1, most, "M")), "--every",
                     "write a field every M sweeps", by_default("only the last one")),
               files(QCD_AT(format), or_none(one_of(format_words())), "--format",
                     "format of these files", by_default("by the ending, else nersc")),
               files(QCD_AT(bits), one_of(file_precisions), "--precision,--prec",
                     "precision of their numbers"),
               measured(QCD_AT(table), text("FILE"), "--measure",
                        "write plaquettes and Polyakov loop of every measured sweep to this CSV"),
               measured(QCD_AT(measure_every), whole_number(1, most), "--measure-every",
                        "sweeps from one measurement to the next"),
               measured(QCD_AT(thermalize), or_none(whole_number(0, most)), "--thermalize",
                        "leave the first N sweeps out of the means",
                        by_default("a fifth of --sweeps")),
               measured(QCD_AT(plot), folder(), "--plot",
                        "draw the history into this folder, by gnuplot: history.svg, .png")} +
           described(on_run<S>({worker_fields(),
                                run_fields_named(
                                    {"--plan", "--checkpoint", "--checkpoint-every", "--resume"}),
                                print_fields(), run_fields_named({"--trace", "--report"})}),
                     {{"--lattice", nullptr, lattice_of_ensemble},
                      {"--cuda", "all GPUs"},
                      {"--plan", nullptr,
                       "how the sweeps are executed: graph, pinned, batch or replay, as by solve",
                       "auto|graph|pinned|batch[:N]|replay[:FILE]"},
                      {"--checkpoint", nullptr,
                       "write field and measurements to this file again and again, on Ctrl-C and "
                       "SIGUSR1, which end it, and at the end"},
                      {"--checkpoint-every", nullptr,
                       "how often: sweeps, or a time such as 30s, 10min or 2h"},
                      {"--resume", nullptr,
                       "go on from a checkpoint, on whatever workers and tiles, to the same bits"},
                      {"--trace", nullptr,
                       "record the sweeps here: paje.trace (ViTE), trace.json (Perfetto), "
                       "tasks.csv, profile.txt; qcd_starpu trace reads it"},
                      {"--report", nullptr,
                       "a page for the browser: what ran, and where the time went"}});
}

/// Where %d or %0Nd stands; nothing: nowhere. Throws Error for another %, and for several.
std::optional<std::pair<std::size_t, std::size_t>> number_in(const std::string& pattern)
{
    std::optional<std::pair<std::size_t, std::size_t>> found;
    for (std::size_t at = pattern.find('%'); at != pattern.npos; at = pattern.find('%', at + 1)) {
        std::size_t end = at + 1;
        while (end < pattern.size() && std::isdigit(static_cast<unsigned char>(pattern[end])))
            ++end;
        const bool good = end < pattern.size() && pattern[end] == 'd' && end - at <= 3 &&
                          (end == at + 1 || (end == at + 3 && pattern[at + 1] == '0'));
        if (!good || found)
            throw Error(
                fmt::format("--save: {}: one %d, or %0Nd with N digits, stands for the sweep, "
                            "and no other %",
                            qcd::quoted(pattern)));
        found = {at, end + 1 - at};
    }
    return found;
}

/// The last field's file, and those of earlier ones whose number is in the name of one of the others.
cli::OptionFiles saved_fields(const GenerateSpec& s, const cli::OptionFiles& others)
{
    if (s.save().empty()) return {};
    std::set<int> sweeps{s.sweeps()};
    const auto add_numbers = [&](std::string_view name) {
        constexpr std::size_t most_digits = 9;
        for (std::size_t at = 0; at < name.size(); ++at)
            for (std::size_t digits = 1; digits <= most_digits && at + digits <= name.size();
                 ++digits)
                if (const auto n = parse_number<int>(name.substr(at, digits));
                    n && *n > 0 && *n < s.sweeps() && *n % *s.every() == 0)
                    sweeps.insert(*n);
    };
    std::error_code none;
    if (s.every())
        for (const auto& [option, file] : others) {
            add_numbers(file);
            add_numbers(fs::weakly_canonical(file, none).string());
        }
    cli::OptionFiles fields;
    for (const int n : sweeps) fields.emplace_back("--save", s.file_of(n));
    return fields;
}

void finish_generate(GenerateSpec& s, const Typed& call)
{
    require_ensemble(s, s.run, call);
    require_with(call, "--every", "--save", "without --save no field is written");
    require_with(call, "--format", "--save", "without --save no field is written");
    require_with(call, "--precision", "--save", "without --save no field is written");
    const bool numbered = number_in(s.save()).has_value();
    if (s.every() && !numbered)
        throw Error(fmt::format("--save: {} has no %d for the sweep: with --every each field would "
                                "replace the one before",
                                qcd::quoted(s.save())));
    if (call.has("--save")) {
        cli::check_writable("--save", s.file_of(s.sweeps()));
        const GaugeFormatFacts& facts =
            facts_of(s.format().value_or(gauge_format_of(s.file_of(s.sweeps()))));
        if (std::find(facts.bits.begin(), facts.bits.end(), s.bits()) == facts.bits.end())
            throw Error(fmt::format("--save: {} files have numbers of {} bits: use --precision {}",
                                    facts.name, facts.bits.front(),
                                    word_of(file_precisions, facts.bits.front())));
    }
    if (call.has("--measure")) cli::check_output("--measure", s.table());
    require_run_on_links(s.run, call);
    if (call.has("--plot")) cli::check_folder("--plot", s.plot());
    const std::string start = starts_from_file(s) ? s.start() : "";
    cli::OptionFiles written = plot_files(s.plot(), "history");
    written.emplace_back("--measure", s.table());
    cli::OptionFiles others = with_outputs(written, s.run);
    others.insert(others.end(), {{"--start", start}, {"--resume", s.run.execution.resume()}});
    const cli::OptionFiles fields = saved_fields(s, others);
    written.insert(written.begin(), fields.begin(), fields.end());
    keep_apart(s.run, call, {{"--start", start}}, written);
}

struct CommandEntry {
    const char *name, *summary;
    std::function<Command(const Arguments&)> parse;
    std::function<std::vector<FieldFacts>()> options;
};

template <class S>
CommandEntry command(const char* name, const char* summary, const char* description,
                     Fields<S> (*fields)(), void (*finish)(S&, const Typed&))
{
    return {name, summary,
            [=](const Arguments& arguments) {
                return parse_command<S>(name, description, fields(), arguments, finish);
            },
            [=] {
                std::vector<FieldFacts> facts;
                for (const Field<S>& f : fields()) facts.push_back(f);
                return facts;
            }};
}

const CommandEntry commands[]{
    command<SolveSpec>("solve", "solve D x = b and verify the answer (the default)",
                       "Solve D x = b and verify the answer.", solve_fields, finish_solve),
    command<PropagatorSpec>("propagator", "solve for 12 sources; pion correlator",
                            "Solve for the 12 spins and colours of a source; pion correlator.",
                            propagator_fields, finish_propagator),
    command<GenerateSpec>(
        "generate", "pure gauge ensembles by heat bath and overrelaxation",
        "Generate an ensemble of SU(3) gauge fields of Wilson's action by heat bath "
        "and overrelaxation; measure plaquettes and Polyakov loop.",
        generate_fields, finish_generate),
    command<ApplySpec>(
        "apply", "apply the operators to a source; print norms and inner products",
        "Apply H, D, gamma5 D, D^dagger D and Dhat to the source; print norms and inner products.",
        apply_fields, finish_apply),
    command<InfoSpec>("info", "what this machine and this build can do",
                      "Print what this machine and this build can do, and what is missing.",
                      info_fields, finish_info),
    command<BenchSpec>("bench", "time every operation on every kind of worker",
                       "Verify and time every operation on every kind of worker present.",
                       bench_fields, finish_bench),
    command<CompareSpec>(
        "compare", "ways of running one solve, with statistics",
        "Solve D x = b in several ways, in turn; say which is faster, and whether that is certain.",
        compare_fields, finish_compare),
    command<CompareSpec>(
        "compare generate", "ways of running one generation, with statistics",
        "Generate the same gauge fields in several ways, in turn; say which is faster, and whether "
        "that is certain.",
        compare_generate_fields, finish_compare_generate),
    command<LadderSpec>(
        "ladder", "the ladder of 2013: every version of its kernels on every device",
        "The ladder of 2013: every version of its kernels on every device, in turn; "
        "what each step gains.",
        ladder_fields, finish_ladder),
    command<SimulateSpec>("simulate", "how long a solve would take on another machine",
                          "Say how long so many iterations of a solve would take on another "
                          "machine: its tasks are submitted, and none is computed.",
                          simulate_fields, finish_simulate),
    command<CalibrateSpec>("calibrate", "measure this machine's tasks, for simulate",
                           "Measure how long the tasks of a solve take here, one worker alone and "
                           "all of them busy, for qcd_starpu simulate.",
                           calibrate_fields, finish_calibrate),
    command<TraceSpec>(
        "trace", "read what --trace has recorded: summary, profile, picture",
        "Read what --trace has recorded: what ran, where the time went, a picture; or what "
        "--save-schedule has written.",
        trace_fields, finish_trace),
    command<ConvertSpec>("convert", "write a gauge field in another format or precision",
                         "Write a gauge field to a file of another format or precision.",
                         convert_fields, finish_convert),
    command<CheckSpec>(
        "check", "what files of fields and checkpoints are, and whether they are good",
        "Say what gauge files, files of spinors and checkpoints are, and whether they are good.",
        check_fields, finish_check)};

Text overview()
{
    std::string text = version_line() +
                       "\nLattice QCD: solves D x = b for the Wilson-Dirac matrix as a graph of "
                       "StarPU tasks over lattice tiles.\n\n"
                       "Usage: qcd_starpu [COMMAND] [OPTIONS]\n\nCommands:\n";
    for (const CommandEntry& c : commands) text += fmt::format("  {:<18}{}\n", c.name, c.summary);
    text += "\nqcd_starpu COMMAND --help lists the options of a command.\n"
            "\nExit status:\n"
            "  0  converged and verified\n"
            "  1  not converged\n"
            "  2  bad usage or bad input\n"
            "  3  verification failed\n"
            "  4  an asked-for device or feature is missing, memory is too small, or a device "
            "failed\n\n";
    return {text + std::get<Text>(commands[0].parse({"--help"})).text};
}

Command parse_first(const Arguments& arguments)
{
    if (arguments.empty())
        throw Error("nothing to do: qcd_starpu --lattice 8x8x8x16 is a first run, and qcd_starpu "
                    "--help lists commands and options");
    const std::string& first = arguments.front();
    if (first == "--help" || first == "-h" || first == "help") return overview();
    if (!first.empty() && first.front() == '-') return commands[0].parse(arguments);
    const auto begins_with = [&](const std::vector<std::string_view>& name) {
        return name.size() <= arguments.size() &&
               std::equal(name.begin(), name.end(), arguments.begin());
    };
    const CommandEntry* found = nullptr;
    Names names;
    for (const CommandEntry& c : commands) {
        if (begins_with(split(c.name, ' '))) found = &c; // the longer name stands later
        names.emplace_back(c.name);
    }
    if (found) {
        const auto words = std::ptrdiff_t(split(found->name, ' ').size());
        return found->parse({arguments.begin() + words, arguments.end()});
    }
    throw Error("there is no command {}: it is one of {}", qcd::quoted(first),
                fmt::join(names, ", "));
}

} // namespace

std::string PropagatorSpec::source() const
{
    if (wall()) return fmt::format("wall:{}", *wall());
    return "point:" + (point().empty() ? std::string("0,0,0,0") : point());
}

std::string PropagatorSpec::words() const
{
    const std::string s = source();
    std::string text =
        fmt::format("propagator --{} {}", s.substr(0, s.find(':')), s.substr(s.find(':') + 1));
    if (smearing()) text += fmt::format(" --smeared {},{}", smearing()->width, smearing()->steps);
    return text;
}

std::string GenerateSpec::file_of(int sweep) const
{
    const std::string& pattern = save();
    const auto number = number_in(pattern);
    if (!number) return pattern;
    const auto [at, length] = *number;
    const int digits = length > 2 ? pattern[at + 2] - '0' : 0;
    return pattern.substr(0, at) + fmt::format("{:0{}}", sweep, digits) +
           pattern.substr(at + length);
}

std::string_view to_string(LadderDevice d) { return word_of(ladder_devices, d); }

Command parse(const Arguments& arguments)
{
    Command command = parse_first(arguments);
    std::visit(
        [&](auto& spec) {
            if constexpr (requires { spec.output(); }) spec.output().call.arguments = arguments;
        },
        command);
    return command;
}

RunSpec parse_run(const Arguments& arguments, const Names& options)
{
    RunSpec s;
    const Fields<RunSpec> fields = run_fields_named(options);
    Parser app("solve", "");
    add_fields(app, s, fields);
    app.run(arguments);
    return s;
}

std::vector<std::string> simulate_arguments(const RunSpec& s, const std::string& machine)
{
    const Names declared = options_of("simulate");
    std::vector<std::string> words{"simulate", "--machine", machine};
    const std::vector<std::string> asked = typed_words(s, [&](const FieldFacts& f) {
        return f.role != Role::output &&
               std::find(declared.begin(), declared.end(), f.name()) != declared.end();
    });
    words.insert(words.end(), asked.begin(), asked.end());
    return words;
}

Names options_of(std::string_view command)
{
    for (const CommandEntry& c : commands) {
        if (c.name != command) continue;
        Names names;
        for (const FieldFacts& f : c.options()) names.push_back(f.name());
        return names;
    }
    throw Error("there is no command {}", command);
}

std::vector<CommandFacts> command_facts()
{
    std::vector<CommandFacts> all;
    for (const CommandEntry& c : commands) all.push_back({c.name, c.summary, c.options()});
    return all;
}

RunSpec with_method_of_twelve(RunSpec s)
{
    MethodSpec& m = s.method;
    if (!m.solver() && !m.sloppy() && m.precision() == Precision::f64) {
        m.solver = Method::cg;
        m.sloppy = Precision::f32;
    }
    return s;
}

std::string version_line() { return version_line("qcd_starpu"); }

} // namespace qcd
