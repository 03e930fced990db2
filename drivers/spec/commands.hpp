#pragma once
// The commands of qcd_starpu: what each may be asked, and the command line as such a value. What
// can be checked without the lattice's fields is checked here. No StarPU.

#include "drivers/spec/run_fields.hpp"
#include "drivers/spec/run_spec.hpp"
#include "lattice/files/gauge_writer.hpp"
#include "lattice/smearing.hpp"
#include "program/cli/text.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace qcd
{

struct SolveSpec {
    RunSpec run;
    OutputSpec& output() { return run.output; }
};

/// Twelve solves, of a source with each spin and colour.
struct PropagatorSpec {
    RunSpec run; ///< its source is the first of the twelve
    // One of both: of a site, or of a time slice.
    Value<std::string, "--point"> point;
    Value<std::optional<int>, "--wall"> wall;
    Value<std::optional<Smearing>, "--smeared"> smearing;    ///< of a point; none: left as it is
    Value<std::string, "--save"> save;                       ///< file; empty: none
    Value<std::optional<BoundaryPhases>, "--phases"> phases; ///< of what is in it
    Value<bool, "--resume"> resume;    ///< solutions are kept beside that file until all are there
    Value<std::string, "--plot"> plot; ///< folder; empty: none
    std::string source() const;        ///< without spin and colour: "point:0,0,0,0"
    std::string words() const;         ///< of the command that says the source
    OutputSpec& output() { return run.output; }
};

struct ApplySpec {
    RunSpec run;
    OutputSpec& output() { return run.output; }
};

struct BenchSpec {
    RunSpec run; ///< workers and output; its scheduler is the only one of `schedulers`
    Value<std::vector<Extents>, "--lattice"> lattices{
        {{8, 8, 8, 16}, {16, 16, 16, 32}, {24, 24, 24, 48}}};
    /// Operations whose name contains one of these; empty: all.
    Value<std::vector<std::string>, "--ops"> ops;
    Value<std::vector<Precision>, "--precision"> precisions{{Precision::f64, Precision::f32}};
    Value<std::vector<LinkStorage>, "--links"> links{{LinkStorage::full}};
    Value<int, "--repeat"> repeat{10};
    Value<int, "--rhs"> rhs{1}; ///< right-hand sides that operations are on together
    Value<bool, "--oversubscribe"> oversubscribe; ///< also with more workers than cores
    /// How small tasks may be, in place of how fast operations are: one lattice, one precision.
    Value<bool, "--grain"> grain;
    Value<std::vector<std::string>, "--sched"> schedulers; ///< several of grain; empty: chosen
    Value<int, "--seed"> seed{1};                          ///< of grain
    Value<std::string, "--out"> folder;                    ///< of grain; empty: none
    OutputSpec& output() { return run.output; }
};

/// An ensemble of pure gauge fields: sweeps of heat bath and overrelaxation.
struct GenerateSpec {
    RunSpec run; ///< lattice, workers, checkpoints and output
    Value<std::optional<double>, "--beta"> beta;
    Value<std::string, "--start"> start{"cold"}; ///< or hot, or a gauge file
    Value<int, "--sweeps"> sweeps{0};            ///< in all
    Value<int, "--overrelax"> overrelaxations{4};
    Value<std::uint64_t, "--seed"> seed{1};
    Value<int, "--reunitarize-every"> reunitarize{10};
    Value<std::optional<int>, "--every"> every; ///< none: only the last field is saved
    Value<std::string, "--save"> save;          ///< with %d for the number of the sweep
    Value<std::optional<GaugeFormat>, "--format"> format;
    Value<int, "--precision"> bits{64};             ///< of the numbers saved
    Value<std::string, "--measure"> table;          ///< file; empty: none
    Value<int, "--measure-every"> measure_every{1}; ///< 0, of a comparison: nothing is measured
    Value<std::optional<int>, "--thermalize"> thermalize; ///< none: a fifth of the sweeps
    Value<std::string, "--plot"> plot;                    ///< folder; empty: none
    std::string file_of(int sweep) const;                 ///< that the field is saved in
    OutputSpec& output() { return run.output; }
};

/// Rounds of a comparison, and where it is kept.
struct RoundsSpec {
    Value<int, "--repeat"> rounds;
    Value<int, "--seed"> seed{1};
    Value<std::string, "--out"> folder;
};

/// One value of what varies from case to case, as typed, and what it means.
struct CaseValue {
    std::string text;
    std::function<void(RunSpec&)> set;
};
struct CaseFactor {
    std::string key; ///< the option without dashes
    std::vector<CaseValue> values;
};

/// A case of a file: a value of each key; one without text is chosen.
struct CaseLine {
    int number; ///< in the file, from 1 on
    std::vector<CaseValue> values;
};
struct CaseTable {
    std::vector<std::string> keys;
    std::vector<CaseLine> lines;
};

/// A comparison of solves, or of sweeps. Its cases come from a file, or are each value of one list
/// with each of the others; where there is neither, they are chosen.
struct CompareSpec {
    RunSpec run; ///< what all cases have alike
    RoundsSpec rounds{.rounds = 10, .seed = 1, .folder = std::string("compare")};
    /// The values of each factor by its key, as typed (case_factors.hpp).
    std::map<std::string, std::string> lists;
    Value<std::string, "--cases"> cases_file;
    /// Simulated on this machine: a file, or "this"; empty: they run.
    Value<std::string, "--simulate"> machine;
    std::vector<CaseFactor> factors; ///< of the lists
    std::optional<CaseTable> table;  ///< of the file
    bool all_schedulers = false;     ///< `sched` has no values: they are StarPU's to name
    GenerateSpec ensemble;           ///< its sweeps are compared, if it has a beta; else a solve
    bool generates() const { return ensemble.beta().has_value(); }
    OutputSpec& output() { return run.output; }
};

/// What a row of the ladder runs on.
enum class LadderDevice { core, cores, opencl, cuda };
std::string_view to_string(LadderDevice);

/// The ladder of 2013: every version on every device, in turn.
struct LadderSpec {
    RunSpec run; ///< problem and precision; iterations: none: chosen
    RoundsSpec rounds{.rounds = 3, .seed = 1, .folder = std::string("ladder")};
    Value<std::vector<const LadderVersion*>, "--ladder"> versions; ///< null: today's kernels
    Value<std::vector<int>, "--multiple"> multiples{
        {default_multiple}}; ///< of versions that have a choice, on devices
    Value<std::optional<std::vector<LadderDevice>>, "--devices">
        devices; ///< none: all that are here
    OutputSpec& output() { return run.output; }
};

/// A solve's tasks on a machine that need not be there.
struct SimulateSpec {
    RunSpec run;                             ///< iterations and plan are given
    Value<std::string, "--machine"> machine; ///< a file, or "this"
    OutputSpec& output() { return run.output; }
};

/// Times of tasks for such a machine.
struct CalibrateSpec {
    RunSpec run; ///< problem, method, workers; iterations of each run
    Value<std::vector<Extents>, "--tiles"> tiles; ///< tilings whose tasks are timed; empty: chosen
    Value<int, "--repeat"> rounds{3};
    Value<std::string, "--out"> out; ///< file; empty: where --machine this looks
    OutputSpec& output() { return run.output; }
};

struct TraceSpec {
    RunSpec run; ///< output
    Value<std::string, "DIR"> folder;
    Value<std::string, "--compare"> other;                                ///< empty: none
    Value<std::optional<double>, "--from"> from;                          ///< ms
    Value<std::optional<double>, "--to"> to;                              ///< ms
    Value<std::optional<std::pair<int, int>>, "--iterations"> iterations; ///< first, last
    Value<std::string, "--svg"> svg;
    Value<std::string, "--png"> png;
    Value<std::string, "--graph"> graph;
    OutputSpec& output() { return run.output; }
};

struct InfoSpec {
    RunSpec run; ///< output
    OutputSpec& output() { return run.output; }
};

struct ConvertSpec {
    RunSpec run;                 ///< lattice and output
    Value<std::string, "IN"> in; ///< as ProblemSpec::gauge
    Value<std::string, "OUT"> out;
    Value<std::optional<GaugeFormat>, "--format"> format;
    Value<std::optional<int>, "--precision"> bits; ///< of the numbers written: 32 or 64
    OutputSpec& output() { return run.output; }
};

struct CheckSpec {
    RunSpec run;                                   ///< lattice and output
    Value<std::vector<std::string>, "FILE"> files; ///< never empty
    OutputSpec& output() { return run.output; }
};

using Command = std::variant<SolveSpec, PropagatorSpec, GenerateSpec, ApplySpec, BenchSpec,
                             CompareSpec, LadderSpec, SimulateSpec, CalibrateSpec, TraceSpec,
                             InfoSpec, ConvertSpec, CheckSpec, cli::Text>;

/// arguments: what follows the program's name. Throws Error (exit status 2) with one line.
Command parse(const std::vector<std::string>& arguments);

/// Options alone, of those that are named: what a library is given as text. Throws Error.
RunSpec parse_run(const std::vector<std::string>& arguments,
                  const std::vector<std::string>& options);

/// What to type for a simulation of a run that require_possible() lets be simulated, word by word,
/// after the program's name.
std::vector<std::string> simulate_arguments(const RunSpec&, const std::string& machine);

/// The options that a command declares, by their first names.
std::vector<std::string> options_of(std::string_view command);

/// A command and its options, in the words of its help.
struct CommandFacts {
    std::string name, summary;
    std::vector<FieldFacts> options;
};
std::vector<CommandFacts> command_facts();

/// Twelve solves are worth iterations in a lower precision where the user asks for no method.
RunSpec with_method_of_twelve(RunSpec);

/// "qcd_starpu 1.0.0 (git 0123abc)"
std::string version_line();

} // namespace qcd
