#include "drivers/spec/commands.hpp"

#include "drivers/spec/case_factors.hpp"
#include "drivers/spec/rules.hpp"
#include "lattice/gauge_source.hpp"
#include "lattice/several_sources.hpp"
#include "lattice/spinor_source.hpp"
#include "program/cli/argument_checks.hpp"
#include "program/cli/parser.hpp"
#include "program/version.hpp"
#include "traces/trace_folder.hpp"

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

/// Those of a run, but for some.
Fields<RunSpec> run_fields_of(std::initializer_list<std::string_view> groups, const Names& without)
{
    Fields<RunSpec> some;
    for (const Field<RunSpec>& f : run_fields())
        if (std::find(groups.begin(), groups.end(), f.group) != groups.end() &&
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
Fields<RunSpec> problem_fields(Names without = {})
{
    for (const char* name : {"--guess", "--guess-number", "--resume"}) without.emplace_back(name);
    return run_fields_of({"Problem"}, without);
}
const Names of_versions{"--stencil", "--multiple"},
    of_spinor_files{"--source-number", "--basis", "--phases"};
Fields<RunSpec> method_fields(Names without = {})
{
    for (const std::string& name : of_versions) without.push_back(name);
    without.emplace_back("--repeat");
    return run_fields_of({"Method"}, without);
}
Fields<RunSpec> worker_fields(Names without = {})
{
    for (const char* name : {"--engine", "--plan", "--split"}) without.emplace_back(name);
    return run_fields_of({"Machine"}, without);
}
Fields<RunSpec> print_fields() { return run_fields_named({"--json", "--quiet", "--verbose"}); }

Names joined(Names a, const Names& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

/// For a struct with a member `run`.
template <class S>
Fields<S> on_run(std::initializer_list<Fields<RunSpec>> parts)
{
    Fields<S> all;
    for (const Fields<RunSpec>& part : parts)
        for (Field<S>& f : fields_of<S>(part, QCD_AT(run))) all.push_back(std::move(f));
    return all;
}
template <class S>
Fields<S> operator+(Fields<S> a, Fields<S> b)
{
    for (Field<S>& f : b) a.push_back(std::move(f));
    return a;
}

/// What a command says of an option in other words.
template <class S>
Fields<S> described(Fields<S> fields, std::string_view name, const char* default_text,
                    const char* help = nullptr)
{
    for (Field<S>& f : fields) {
        if (f.name() != name) continue;
        if (default_text) f.default_text = default_text;
        if (help) f.help = help;
    }
    return fields;
}

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

template <class S>
Given given_in(const Parser& app, const Fields<S>& fields)
{
    Given given;
    for (const Field<S>& f : fields)
        if (app.given(f.name())) given.insert(f.name());
    return given;
}

/// What was asked for, beside its values.
struct Typed {
    const Given& given;
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
    const Given given = given_in(app, fields);
    finish(s, Typed{given, app.config_file()});
    return s;
}

void require_run(const RunSpec& s, const Typed& call, Asker asker = Asker::one_process)
{
    require_possible(s, call.given, asker);
    require_files(s, call.given, call.config_file);
}

/// `option` means something with `needs` alone.
void require_with(const Typed& call, const char* option, const char* needs, const char* sentence)
{
    if (call.has(option) && !call.has(needs)) throw Error(fmt::format("{}: {}", option, sentence));
}

// ---- the commands

Fields<SolveSpec> solve_fields() { return on_run<SolveSpec>({run_fields()}); }
void finish_solve(SolveSpec& s, const Typed& call)
{
    require_run(s.run, call);
    // Is it of so many?
    source_of_several(s.run.problem.source(), 0, s.run.execution.rhs().value_or(1));
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
    const Codec<Smearing> smearing{
        [](const std::string& text, const std::string& option) {
            return parse_smearing(text, option);
        },
        [](const Smearing& s) { return fmt::format("{},{}", s.width, s.steps); }, "W,N"};
    Fields<S> run = on_run<S>({problem_fields(joined({"--source"}, of_spinor_files)),
                               method_fields({"--iterations", "--rhs"}), worker_fields(),
                               run_fields_named({"--plan"}), print_fields(),
                               run_fields_named({"--save-gauge", "--dry-run"})});
    return run +
           Fields<S>{
               field<S>(QCD_AT(point), text("X,Y,Z,T"),
                        {"--point", "Problem", "source: 1 on this site, for each spin and colour",
                         Role::identity, Audience::everyday, "0,0,0,0"}),
               field<S>(QCD_AT(wall), or_none(whole_number(0, max_extent, "T")),
                        excluding({"--point"},
                                  {"--wall", "Problem",
                                   "source: 1 on all sites of this time slice, for each spin "
                                   "and colour",
                                   Role::identity})),
               field<S>(QCD_AT(smearing), or_none(smearing),
                        excluding({"--wall"},
                                  {"--smeared", "Problem",
                                   "smear the point in space: width W in lattice spacings, by "
                                   "N steps",
                                   Role::identity})),
               field<S>(QCD_AT(run.execution.rhs), or_none(whole_number(1, 12)),
                        {"--rhs", "Method", "of the 12 sources so many are solved together",
                         Role::execution, Audience::everyday,
                         "as many as memory holds; 1 with --resume"}),
               field<S>(QCD_AT(save), text("FILE"),
                        {"--save", "Output",
                         "write the propagator to this file: HDF5 if it ends in .h5 or .hdf5, else "
                         "SciDAC",
                         Role::output}),
               field<S>(QCD_AT(phases), or_none(written_phases_codec()),
                        {"--phases", "Output",
                         "where its boundary phases are: at the boundary, or spread over all links",
                         Role::output, Audience::advanced, "boundary"}),
               flag<S>(
                   QCD_AT(resume),
                   {"--resume", "Output",
                    "keep each solution beside --save's file until all are there; the same command "
                    "goes on with those of a run that was interrupted",
                    Role::output}),
               field<S>(QCD_AT(plot), folder(),
                        {"--plot", "Output",
                         "draw the correlators into this folder, by gnuplot: pion.svg, .png",
                         Role::output})};
}
void finish_propagator(PropagatorSpec& p, const Typed& call)
{
    for (const char* option : {"--plot", "--save"})
        if (p.run.output.dry_run() && call.has(option))
            throw Error(fmt::format("{}: with --dry-run nothing is computed or written", option));
    require_with(call, "--resume", "--save",
                 "without --save there is no file to keep solutions beside");
    require_with(call, "--phases", "--save", "without --save it means nothing");
    p.run.problem.source = p.source() + ",0,0";
    Given given = call.given;
    given.erase("--phases"), given.erase("--resume"); // here of what is written
    require_run(p.run, {given, call.config_file});
    if (call.has("--plot")) cli::check_folder("--plot", p.plot());
    if (call.has("--save")) cli::check_writable("--save", p.save());
    const ProblemSpec& problem = p.run.problem;
    cli::check_different({{"--gauge", is_generated(problem.gauge()) ? "" : problem.gauge()},
                          {"--config", call.config_file},
                          {"--save-gauge", p.run.output.save_gauge()},
                          {"--save", p.save()},
                          {"--json", p.run.output.json()}});
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
    constexpr const char* group = "Benchmark";
    constexpr Role role = Role::execution;
    Fields<S> run = on_run<S>({worker_fields(), print_fields()});
    run = described(std::move(run), "--cpus", "all cores", "CPU workers");
    run = described(described(std::move(run), "--cuda", "1"), "--opencl", "1");
    return Fields<S>{
               field<S>(QCD_AT(lattices), list_of(extents()),
                        {"--lattice", group, "lattices, joined by commas", role}),
               field<S>(QCD_AT(ops), list_of(text("NAME")),
                        {"--ops", group, "only operations whose name contains one of these", role}),
               field<S>(QCD_AT(precisions), one_of(precision_sets),
                        {"--precision,--prec", group, "of fields and arithmetic", role}),
               field<S>(QCD_AT(links), one_of(storage_sets),
                        {"--links,--recon", group, "reals that a link is stored in", role}),
               field<S>(
                   QCD_AT(repeat), whole_number(1, most_repetitions),
                   {"--repeat", group, "time each operation N times, report the median", role}),
               field<S>(
                   QCD_AT(rhs), whole_number(1, most_rhs),
                   {"--rhs", group, "right-hand sides that operations are on together", role})} +
           run +
           Fields<S>{flag<S>(QCD_AT(oversubscribe),
                             {"--oversubscribe", "Machine",
                              "measure also with more CPU workers than cores, or than their CPU "
                              "time allows",
                              role, Audience::advanced})};
}
void finish_bench(BenchSpec& b, const Typed& call)
{
    if (std::count(b.ops().begin(), b.ops().end(), "") > 0) throw Error("--ops: an empty name");
    if (b.precisions().front() == Precision::f16 &&
        std::count(b.links().begin(), b.links().end(), LinkStorage::minimal) > 0)
        throw Error("--precision half: links of 8 reals are none in 16 bits: use --links "
                    "12 or 18");
    for (const Extents& l : b.lattices()) require_lattice(l, "--lattice");
    RunSpec run = b.run;
    run.problem.lattice = b.lattices().front();
    Given given = call.given;
    for (const char* own : {"--rhs", "--links", "--precision", "--lattice"}) given.erase(own);
    require_run(run, {given, call.config_file});
}

/// Those of a comparison's rounds.
template <class S>
Fields<S> rounds_fields(const char* cases, const char* files)
{
    constexpr const char* group = "Measurement";
    return {
        field<S>(QCD_AT(rounds.rounds), whole_number(1, 100000),
                 {"--repeat", group, fmt::format("rounds, each of which runs every {} once", cases),
                  Role::execution}),
        field<S>(QCD_AT(rounds.seed), whole_number(0, most_repetitions),
                 {"--seed", group, fmt::format("of the order of the {}s in each round", cases),
                  Role::execution}),
        field<S>(QCD_AT(rounds.folder), folder(),
                 {"--out", group, fmt::format("folder for {}; what it has is not run again", files),
                  Role::output})};
}
/// No file may be written over what the folder has, or over another.
void keep_folder_apart(const RunSpec& s, const RoundsSpec& r, const Typed& call,
                       cli::OptionFiles files, std::initializer_list<const char*> names)
{
    cli::check_folder("--out", r.folder());
    const std::string gauge = s.problem.gauge();
    files.emplace_back("--gauge", is_generated(gauge) ? "" : gauge);
    files.emplace_back("--config", call.config_file);
    files.emplace_back("--json", s.output.json());
    for (const char* name : names) files.emplace_back("--out", r.folder() + "/" + name);
    cli::check_different(files);
}

Fields<CompareSpec> compare_fields()
{
    using S = CompareSpec;
    Fields<S> lists;
    Names keys;
    for (const FactorKind& kind : factor_kinds()) {
        Field<S> f{{.names = kind.option(),
                    .group = "Cases: each value of one list with each of the others",
                    .help = kind.help,
                    .role = Role::execution,
                    .type = kind.type},
                   {},
                   {},
                   {},
                   {}};
        f.parse = [key = std::string(kind.key)](S& s, const std::string& text) {
            s.lists[key] = text;
        };
        f.print = [key = std::string(kind.key)](const S& s) {
            const auto list = s.lists.find(key);
            return list == s.lists.end() ? "" : list->second;
        };
        f.is_default = [key = std::string(kind.key)](const S& s) { return !s.lists.contains(key); };
        if (f.names == "--split") f.excludes = {"--tiles", "--sched"}; // each slab has its worker
        keys.push_back(f.names);
        lists.push_back(std::move(f));
    }
    lists.push_back(field<S>(
        QCD_AT(cases_file), text("FILE"),
        excluding(keys, {"--cases", lists.front().group,
                         "in place of lists: comma-separated values, in the first line the names "
                         "of lists, then a case in each; what is left empty is chosen",
                         Role::execution})));
    const Fields<S> simulated{field<S>(
        QCD_AT(machine), text("FILE|this"),
        excluding({"--repeat", "--seed", "--out"},
                  {"--simulate", "Measurement",
                   "simulate each case once on this machine (simulate --machine), and run none",
                   Role::execution}))};
    return lists + rounds_fields<S>("case", "runs.csv, compare.json and plots") + simulated +
           on_run<S>({problem_fields(), method_fields({"--rhs"}),
                      run_fields_named({"--gpu-memory"}), print_fields()});
}
/// Each case, and what is common to them, acts where it is simulated, or is refused.
void require_simulated(CompareSpec& s, const Typed& call)
{
    if (s.machine() != "this") cli::check_readable("--simulate", s.machine());
    if (s.run.output.verbose()) throw Error("--simulate: --verbose is not simulated");
    constexpr int iterations = 20;
    const auto require = [&](const RunSpec& run, const std::string& what) {
        try {
            require_possible(run, call.given, Asker::simulation);
        } catch (const Error& e) {
            throw Error(fmt::format("--simulate: {}{}", what, e.what()));
        }
    };
    require(s.run, "");
    if (!s.run.method.iterations()) s.run.method.iterations = iterations;
    for (const CaseFactor& factor : s.factors)
        for (const CaseValue& value : factor.values) {
            RunSpec one = s.run;
            value.set(one);
            require(one, fmt::format("--{} {}: ", factor.key, value.text));
        }
    if (!s.table) return;
    for (const CaseLine& line : s.table->lines) {
        RunSpec one = s.run;
        for (const CaseValue& value : line.values) value.set(one);
        require(one, fmt::format("{}, line {}: ", qcd::quoted(s.cases_file()), line.number));
    }
}
void finish_compare(CompareSpec& s, const Typed& call)
{
    s.factors = case_factors(s.lists);
    const auto sched = s.lists.find("sched");
    s.all_schedulers = sched != s.lists.end() && sched->second == "all";
    if (call.has("--cases")) {
        cli::check_readable("--cases", s.cases_file());
        s.table = read_cases(s.cases_file());
    }
    Given given = call.given;
    for (const FactorKind& kind : factor_kinds()) given.erase(kind.option());
    given.erase("--repeat");
    const Typed of_all{given, call.config_file};
    if (call.has("--stencil") && s.run.method.even_odd().value_or(false))
        throw Error("--even-odd: versions of --stencil act on all sites, and so does auto "
                    "beside them: use --even-odd off");
    require_run(s.run, of_all);
    if (call.has("--simulate")) require_simulated(s, of_all);
    keep_folder_apart(s.run, s.rounds, call, {{"--cases", s.cases_file()}},
                      {"design.json", "runs.csv", "calibration.json", "compare.json", "runs.Rmd"});
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
                throw Error(
                    fmt::format("{}: {} is there twice", option, qcd::quoted(print(all[i]))));
        return all;
    };
    list.type = std::move(type);
    list.is_list = false; // an empty value at its end is an error
    return list;
}

Fields<LadderSpec> ladder_fields()
{
    using S = LadderSpec;
    constexpr Role role = Role::execution;
    Fields<S> run = on_run<S>({problem_fields({"--csw"}), run_fields_named({"--precision"}),
                               run_fields_named({"--iterations", "--gpu-memory"}), print_fields()});
    run = described(std::move(run), "--lattice", "8x8x8x16");
    run = described(std::move(run), "--iterations",
                    "as many as end in time on two cores, at most 143",
                    "of Conjugate Residual in a run");
    return Fields<S>{
               field<S>(QCD_AT(versions), set_of(version_codec(), "VERSION,..."),
                        {"--stencil", "Rows", "versions, and auto for today's kernels", role,
                         Audience::everyday, "all, and auto"}),
               field<S>(QCD_AT(multiples), set_of(multiple_codec(), "N,..."),
                        {"--multiple", "Rows",
                         "sites of a work group on devices, in versions 1.2 and later", role}),
               field<S>(QCD_AT(devices), or_none(set_of(one_of(ladder_devices), "DEVICE,...")),
                        {"--devices", "Rows", "of core (one), cores (all), opencl, cuda", role,
                         Audience::everyday, "all that are here"})} +
           rounds_fields<S>("row", "runs.csv, ladder.json and charts") + run;
}
void finish_ladder(LadderSpec& s, const Typed& call)
{
    if (!call.has("--lattice") && is_generated(s.run.problem.gauge()))
        s.run.problem.lattice = Extents{8, 8, 8, 16};
    if (!call.has("--stencil")) {
        std::vector<const StudyVersion*> all;
        for (const StudyVersion& v : study_versions) all.push_back(&v);
        all.push_back(nullptr);
        s.versions = all;
    }
    s.run.method.even_odd = false;
    Given given = call.given;
    for (const char* own : {"--stencil", "--multiple", "--repeat"}) given.erase(own);
    require_run(s.run, {given, call.config_file});
    keep_folder_apart(s.run, s.rounds, call, {}, {"design.json", "runs.csv", "ladder.json"});
}

constexpr int simulated_iterations = 20;

Fields<SimulateSpec> simulate_fields()
{
    using S = SimulateSpec;
    Fields<S> run = on_run<S>(
        {problem_fields(of_spinor_files),
         method_fields({"--tol", "--max-iterations", "--sloppy", "--sloppy-drop", "--rhs"}),
         worker_fields({"--cores-per-worker"}), run_fields_named({"--plan"}), print_fields(),
         run_fields_named({"--trace"})});
    run = described(std::move(run), "--iterations", "20", "iterations that are simulated");
    run = described(std::move(run), "--cuda", "all GPUs of the machine");
    run = described(std::move(run), "--trace", nullptr,
                    "the simulated tasks, as solve --trace records them");
    run = described(std::move(run), "--plan", "graph");
    return Fields<S>{field<S>(QCD_AT(machine), text("FILE|this"),
                              {"--machine", "Simulation",
                               "file of a machine; this: what qcd_starpu calibrate measured here",
                               Role::execution})} +
           run;
}
void finish_simulate(SimulateSpec& s, const Typed& call)
{
    if (s.machine().empty()) throw Error("--machine FILE, or --machine this, is needed");
    if (s.machine() != "this") cli::check_readable("--machine", s.machine());
    require_run(s.run, call, Asker::simulation);
    if (!s.run.method.iterations()) s.run.method.iterations = simulated_iterations;
    if (!s.run.execution.plan()) s.run.execution.plan = PlanChoice{};
    cli::check_different(with_outputs(
        {{"--machine", s.machine() == "this" ? "" : s.machine()}, {"--config", call.config_file}},
        s.run.output));
}

Fields<CalibrateSpec> calibrate_fields()
{
    using S = CalibrateSpec;
    constexpr const char* group = "Measurement";
    Fields<S> run = on_run<S>(
        {problem_fields(),
         method_fields({"--tol", "--max-iterations", "--sloppy", "--sloppy-drop", "--rhs"}),
         run_fields_named({"--cpus", "--cuda", "--opencl"}), print_fields()});
    run = described(std::move(run), "--iterations", "20", "iterations of each run");
    run = described(std::move(run), "--cpus", "all cores", "CPU workers at most");
    run = described(std::move(run), "--cuda", "all GPUs", "CUDA workers at most");
    return Fields<S>{field<S>(QCD_AT(tiles), set_of(extents(), "XxYxZxT,..."),
                              {"--tiles", group, "tilings whose tasks are timed, joined by commas",
                               Role::execution, Audience::everyday,
                               "2 to 8 slabs in t, more where there are more workers"}),
                     field<S>(QCD_AT(rounds), whole_number(1, 1000),
                              {"--repeat", group, "rounds, each of which runs everything once",
                               Role::execution}),
                     field<S>(QCD_AT(out), text("FILE"),
                              {"--out", "Output", "file of the machine", Role::output,
                               Audience::everyday, "where --machine this finds it"})} +
           run;
}
void finish_calibrate(CalibrateSpec& s, const Typed& call)
{
    Given given = call.given;
    for (const char* own : {"--tiles", "--repeat"}) given.erase(own);
    require_run(s.run, {given, call.config_file});
    if (!s.run.method.iterations()) s.run.method.iterations = simulated_iterations;
    if (call.has("--out")) cli::check_writable("--out", s.out());
    cli::check_different(
        with_outputs({{"--out", s.out()}, {"--config", call.config_file}}, s.run.output));
}

Fields<TraceSpec> trace_fields()
{
    using S = TraceSpec;
    constexpr const char* group = "Trace";
    constexpr Role role = Role::output;
    const auto ms = or_none(real_number([](double) { return true; }, "a finite number", "MS"));
    const Codec<std::pair<int, int>> range{
        [](const std::string& text, const std::string& option) {
            const std::size_t colon = text.find(':');
            const auto first = parse_number<int>(text.substr(0, colon));
            const auto last = colon == text.npos ? std::optional<int>()
                                                 : parse_number<int>(text.substr(colon + 1));
            if (!first || !last || *first < 0 || *last < *first)
                throw Error(fmt::format("{}: {} is not A:B, iterations with 0 <= A <= B", option,
                                        qcd::quoted(text)));
            return std::pair(*first, *last);
        },
        [](const std::pair<int, int>& r) { return fmt::format("{}:{}", r.first, r.second); },
        "A:B"};
    return Fields<S>{
               field<S>(QCD_AT(folder), folder(""), {"DIR", group, "folder of a trace", role}),
               field<S>(QCD_AT(from), ms,
                        {"--from", group,
                         "show the trace from here on, ms; iterations and pictures have the same "
                         "clock",
                         role}),
               field<S>(QCD_AT(to), ms, {"--to", group, "show it to here, ms", role}),
               field<S>(QCD_AT(iterations), or_none(range),
                        excluding({"--from", "--to"},
                                  {"--iterations", group,
                                   "show the time from the first start of iteration A to the last "
                                   "end of B",
                                   role})),
               field<S>(QCD_AT(other), folder(),
                        {"--compare", group, "what takes longer in this one, by kernel and worker",
                         role}),
               field<S>(QCD_AT(svg), text("FILE"),
                        {"--svg", group, "draw it into this file, by gnuplot", role}),
               field<S>(QCD_AT(png), text("FILE"), {"--png", group, "the same as PNG", role})} +
           on_run<S>({run_fields_named({"--json", "--quiet"})});
}
void finish_trace(TraceSpec& s, const Typed& call)
{
    if (s.folder().empty()) throw Error("trace: DIR, the folder of a trace, is needed");
    if (s.from() && s.to() && *s.to() <= *s.from())
        throw Error("--from, --to: no time is between them");
    if (call.has("--compare") && s.other().empty()) throw Error("--compare: empty");
    if (call.has("--svg")) cli::check_output("--svg", s.svg());
    if (call.has("--png")) cli::check_output("--png", s.png());
    if (call.has("--json")) cli::check_output("--json", s.run.output.json());
    cli::OptionFiles files{{"--config", call.config_file},
                           {"--svg", s.svg()},
                           {"--png", s.png()},
                           {"--json", s.run.output.json()}};
    for (const char* name : trace_files) files.emplace_back("DIR", fs::path(s.folder()) / name);
    cli::check_different(files);
}

Fields<InfoSpec> info_fields() { return on_run<InfoSpec>({run_fields_named({"--json"})}); }
void finish_info(InfoSpec& s, const Typed& call)
{
    if (call.has("--json")) cli::check_output("--json", s.run.output.json());
    cli::check_different({{"--config", call.config_file}, {"--json", s.run.output.json()}});
}

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

Fields<ConvertSpec> convert_fields()
{
    using S = ConvertSpec;
    constexpr const char* group = "Files";
    constexpr Role role = Role::output;
    Fields<S> run =
        on_run<S>({run_fields_named({"--lattice", "--reunitarize", "--json", "--quiet"})});
    run = described(std::move(run), "--lattice", nullptr,
                    "of a generated field, and of a file that does not say it");
    run = described(std::move(run), "--quiet", nullptr, "no text on stdout, no notes");
    return Fields<S>{
               field<S>(QCD_AT(in), text(""),
                        {"IN", group,
                         "gauge file, or unit, random:SEED, weak:EPS[,SEED], gen:SEED,W", role}),
               field<S>(QCD_AT(out), text(""), {"OUT", group, "gauge file to write", role}),
               field<S>(QCD_AT(format), or_none(one_of(format_words())),
                        {"--format", group, "of OUT", role, Audience::everyday,
                         "by OUT's ending, else nersc"}),
               field<S>(QCD_AT(bits), or_none(one_of(file_precisions)),
                        {"--precision,--prec", group, "of OUT's numbers", role, Audience::everyday,
                         "IN's"})} +
           run;
}
void finish_convert(ConvertSpec& s, const Typed& call)
{
    if (s.in().empty() || s.out().empty()) throw Error("convert: IN and OUT are needed");
    if (!is_generated(s.in()))
        cli::check_readable("IN", s.in());
    else if (!s.run.problem.lattice())
        throw Error(fmt::format("--lattice XxYxZxT is needed with {}", qcd::quoted(s.in())));
    cli::check_writable("OUT", s.out());
    if (call.has("--json")) cli::check_output("--json", s.run.output.json());
    cli::check_different({{"IN", is_generated(s.in()) ? "" : s.in()},
                          {"OUT", s.out()},
                          {"--config", call.config_file},
                          {"--json", s.run.output.json()}});
}

Fields<CheckSpec> check_fields()
{
    using S = CheckSpec;
    Fields<S> run = on_run<S>({run_fields_named({"--lattice", "--json", "--quiet"})});
    run = described(std::move(run), "--lattice", nullptr, "of files that do not say it");
    run = described(std::move(run), "--quiet", nullptr, "no text on stdout");
    Codec<std::vector<std::string>> files = list_of(text(""));
    files.type = "";
    return Fields<S>{field<S>(
               QCD_AT(files), files,
               {"FILE", "Files", "gauge files, files of spinors, checkpoints", Role::output})} +
           run;
}
void finish_check(CheckSpec& s, const Typed& call)
{
    if (s.files().empty()) throw Error("check: FILE is needed");
    if (call.has("--json")) cli::check_output("--json", s.run.output.json());
    cli::OptionFiles files{{"--json", s.run.output.json()}, {"--config", call.config_file}};
    for (const std::string& file : s.files()) files.emplace_back("FILE", file);
    cli::check_different(files);
}

struct CommandEntry {
    const char *name, *summary;
    std::function<Command(const Arguments&)> parse;
    std::function<Names()> options;
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
                Names names;
                for (const Field<S>& f : fields()) names.push_back(f.name());
                return names;
            }};
}

const CommandEntry commands[]{
    command<SolveSpec>("solve", "solve D x = b and verify the answer (the default)",
                       "Solve D x = b and verify the answer.", solve_fields, finish_solve),
    command<PropagatorSpec>("propagator", "solve for 12 sources; pion correlator",
                            "Solve for the 12 spins and colours of a source; pion correlator.",
                            propagator_fields, finish_propagator),
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
    command<LadderSpec>("ladder", "the study of 2013: every version of its kernels on every device",
                        "The study of 2013: every version of its kernels on every device, in turn; "
                        "what each step brings.",
                        ladder_fields, finish_ladder),
    command<SimulateSpec>("simulate", "how long a solve would take on another machine",
                          "Say how long so many iterations of a solve would take on another "
                          "machine: its tasks are submitted, and none is computed.",
                          simulate_fields, finish_simulate),
    command<CalibrateSpec>("calibrate", "measure this machine's tasks, for simulate",
                           "Measure how long the tasks of a solve take here, one worker alone and "
                           "all of them busy, for qcd_starpu simulate.",
                           calibrate_fields, finish_calibrate),
    command<TraceSpec>("trace", "read what --trace has recorded: summary, profile, picture",
                       "Read what --trace has recorded: what ran, where the time went, a picture.",
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
    for (const CommandEntry& c : commands) text += fmt::format("  {:<12}{}\n", c.name, c.summary);
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
    if (arguments.empty()) return commands[0].parse(arguments);
    const std::string& first = arguments.front();
    if (first == "--help" || first == "-h" || first == "help") return overview();
    if (!first.empty() && first.front() == '-') return commands[0].parse(arguments);
    Names names;
    for (const CommandEntry& c : commands) {
        if (c.name == first) return c.parse({arguments.begin() + 1, arguments.end()});
        names.emplace_back(c.name);
    }
    throw Error(fmt::format("there is no command {}: it is one of {}", qcd::quoted(first),
                            fmt::join(names, ", ")));
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
    for (const CommandEntry& c : commands)
        if (c.name == command) return c.options();
    throw Error(fmt::format("there is no command {}", command));
}

std::string version_line() { return version_line("qcd_starpu"); }

} // namespace qcd
