#pragma once
// The command line as plain structs. Everything that can be checked without the lattice is checked
// here. No StarPU. The syntax of the names of generated fields and of sources belongs to lattice/.

#include "codelets/study/versions.hpp"
#include "drivers/call.hpp"
#include "drivers/cli/text.hpp"
#include "lattice/boundary_phases.hpp"
#include "lattice/extents.hpp"
#include "lattice/files/gauge_writer.hpp"
#include "lattice/link_storage.hpp"
#include "lattice/precision.hpp"
#include "lattice/smearing.hpp"
#include "lattice/spin_basis.hpp"
#include "lattice/twist.hpp"
#include "runtime/plan.hpp"
#include "solver/method.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace qcd
{
class Ranks;
}

namespace qcd::cli
{

enum class Engine { starpu, sequential, openmp };

// The words of the command line and of the JSON: "openmp", "bicgstab", "double", ...
std::string_view to_string(Engine);
std::string_view to_string(Method);
std::string_view to_string(Precision);

constexpr int default_multiple = 16;

/// Which D, which b. kappa and mass are both set, one from the other: kappa = 1/(2(mass+4)).
struct ProblemOptions {
    std::optional<Extents> lattice;   ///< always there when the gauge field is generated
    std::string gauge = "weak:0.2";   ///< see is_generated()
    bool reunitarize = false;         ///< of files only
    std::string source = "random:1";  ///< see is_generated_source()
    std::optional<int> source_number; ///< of the spinors in a file; none: there is one
    // For files of spinors that do not say it; none: the usual one.
    std::optional<SpinBasis> basis;
    std::optional<BoundaryPhases> phases;
    double kappa = 0, mass = -0.15, mubar = 0;
    double csw = 0; ///< 0: no clover term
    bool antiperiodic = true;
    Theta theta{};          ///< besides
    std::string save_gauge; ///< empty: not asked for
};

/// The share of the sites that devices compute, the rest being the cores'; none: by their rates.
struct Split {
    std::optional<double> devices;
};

/// Where it runs. nullopt and "" leave the choice to the program or to StarPU's environment
/// variables.
struct MachineOptions {
    std::optional<Extents> tiles; ///< number of tiles per direction
    std::string sched;
    std::optional<int> cpus, cuda,
        opencl; ///< numbers of workers; for the engine openmp, cpus = threads
    std::optional<int> cores_per_worker; ///< of CPU workers; none: chosen
    std::optional<long> gpu_memory;      ///< bytes of each device that may be used
    std::optional<Split> split;          ///< devices and cores together, on unequal tiles
    /// StarPU's models of how long tasks take: measured further, or left as they are; none: as
    /// StarPU's environment says.
    std::optional<bool> calibrate;
    Ranks* ranks = nullptr; ///< the processes that share the run; null: it is one
};
/// Those, or this one alone.
Ranks& ranks_of(const MachineOptions&);

/// --plan; none: chosen.
struct PlanChoice {
    PlanKind kind = PlanKind::graph;
    std::optional<int> iterations; ///< most of a task; none: chosen
};

struct OutputOptions {
    std::string
        json; ///< what write_whole() writes, "-": stdout, then for text no more; empty: none
    std::string trace, trace_fxt; ///< folders; empty: none
    std::string report;           ///< a page; empty: none
    bool quiet = false;
    bool verbose = false; ///< StarPU's warnings are shown
    // What the JSON tells of the call.
    std::vector<std::string> arguments; ///< as typed, after the program's name
    std::chrono::system_clock::time_point started = std::chrono::system_clock::now();
    operator Call() const { return {"qcd_starpu", arguments, started}; }
};

/// How often the state of a solve is written: every so many iterations, or, where that is 0, so
/// much time.
struct CheckpointInterval {
    int iterations = 0;
    std::chrono::seconds time{600};
};

/// --precondition
struct PreconditionerChoice {
    std::string method; ///< its word: a method's, "mr" or "schwarz"
    int iterations = 4;
};

struct SolveOptions {
    ProblemOptions problem;
    MachineOptions machine;
    OutputOptions output;
    Engine engine = Engine::starpu;
    Method method = Method::cr;
    Precision precision = Precision::f64; ///< or f32
    std::optional<LinkStorage> links;     ///< none: default_links() of the field
    std::optional<Precision> sloppy;      ///< of the iterations; none: precision
    std::optional<double> sloppy_drop;    ///< MixedSolver; none: its default
    // Of gcr; none: its default, no preconditioner, the lattice.
    std::optional<int> restart;
    std::optional<PreconditionerChoice> precondition;
    std::optional<Extents> domain;
    const StudyVersion* stencil = nullptr; ///< of the study of 2013; null: today's kernels
    std::optional<int> multiple;           ///< sites of its work groups; none: default_multiple
    /// Right-hand sides that are solved together (lattice/several_sources.hpp); 0: as many of a
    /// propagator's twelve as memory holds.
    int rhs = 1;
    bool even_odd = true;
    double tolerance = 0; ///< on |r|/|b|
    int max_iterations = 10000;
    std::optional<int> iterations; ///< exactly so many, no convergence test
    int repeat = 1;
    std::string guess;               ///< file of a spinor to begin with; empty: from 0
    std::optional<int> guess_number; ///< as source_number
    std::string save_solution;       ///< empty: not asked for
    std::string checkpoint, resume;  ///< files; empty: not asked for
    CheckpointInterval checkpoint_every;
    // How what is saved is written.
    SpinBasis solution_basis = SpinBasis::degrand_rossi;
    BoundaryPhases solution_phases = BoundaryPhases::boundary;
    std::optional<PlanChoice> plan; ///< none: chosen
    bool dry_run = false;           ///< say what would run, and end
    /// Another command than solve with what it has in place of --source, for the command that is
    /// printed; empty: solve.
    std::string command{};
};

/// Twelve solves, each of problem.source with a spin and a colour behind it.
struct PropagatorOptions {
    SolveOptions solve;
    std::string source;               ///< "point:x,y,z,t" or "wall:t"
    std::optional<Smearing> smearing; ///< of a point; none: left as it is
    bool resume = false; ///< with a file: solutions are kept beside it until all are there
    std::string save;    ///< file; empty: none
    BoundaryPhases phases = BoundaryPhases::boundary; ///< of what is in it
    std::string plot;                                 ///< folder; empty: none
};

struct ApplyOptions {
    ProblemOptions problem;
    MachineOptions machine;
    OutputOptions output; ///< no trace
    Precision precision = Precision::f64;
    std::optional<LinkStorage> links; ///< none: default_links() of the field
};

struct BenchOptions {
    std::vector<Extents> lattices; ///< never empty
    std::vector<std::string> ops;  ///< operations whose name contains one of these; empty: all
    std::vector<Precision> precisions;
    std::vector<LinkStorage> links; ///< never empty
    MachineOptions machine;
    OutputOptions output; ///< no trace
    int repeat = 10;
    int rhs = 1;                ///< right-hand sides that operations are on together
    bool oversubscribe = false; ///< also with more workers than cores
};

/// One value of what varies from case to case, as typed, and what it means.
struct CaseValue {
    std::string text;
    std::function<void(SolveOptions&)> set;
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

/// Its cases: of `table`, or each value of one of `factors` with each of the others; where there is
/// neither, they are chosen.
struct CompareOptions {
    SolveOptions solve; ///< what all cases have alike
    std::vector<CaseFactor> factors;
    std::optional<CaseTable> table;
    std::string cases_file;      ///< that it was read from
    std::string machine;         ///< a file, or "this", to simulate them on; empty: they run
    bool all_schedulers = false; ///< `sched` has no values: they are StarPU's to name
    OutputOptions output;        ///< no trace
    std::string folder = "compare";
    int rounds = 10;
    long seed = 1;
};

struct TraceOptions {
    std::string folder, other;                     ///< other: to compare with; empty: none
    std::optional<double> from, to;                ///< ms
    std::optional<std::pair<int, int>> iterations; ///< first, last; not with from and to
    std::string svg, png;                          ///< files; empty: none
    OutputOptions output;                          ///< no trace
};

/// What a row of the ladder runs on.
enum class LadderDevice { core, cores, opencl, cuda };
std::string_view to_string(LadderDevice);

/// Every version on every device, in turn.
struct LadderOptions {
    SolveOptions solve;                        ///< problem and precision; iterations: none: chosen
    std::vector<const StudyVersion*> versions; ///< null: auto
    std::vector<int> multiples{default_multiple}; ///< of versions that have a choice, on devices
    std::optional<std::vector<LadderDevice>> devices; ///< none: all that are here
    OutputOptions output;                             ///< no trace
    std::string folder = "ladder";
    int rounds = 3;
    long seed = 1;
};

/// A solve's tasks on a machine that need not be there. solve.iterations is given, and its plan.
struct SimulateOptions {
    SolveOptions solve;
    std::string machine; ///< a file, or "this"
};

/// Times of tasks for such a machine.
struct CalibrateOptions {
    SolveOptions solve;         ///< problem, method, workers; iterations of each run
    std::vector<Extents> tiles; ///< tilings whose tasks are timed; empty: chosen
    int rounds = 3;             ///< that each run is repeated
    std::string out;            ///< file; empty: where --machine this looks
    OutputOptions output;       ///< no trace
};

struct InfoOptions {
    OutputOptions output; ///< no trace, never quiet or verbose
};

struct ConvertOptions {
    std::string in, out;            ///< in: as ProblemOptions::gauge
    std::optional<Extents> lattice; ///< always there when the field is generated
    std::optional<GaugeFormat> format;
    std::optional<int> bits; ///< of the numbers written: 32 or 64; none: as they come
    bool reunitarize = false;
    OutputOptions output; ///< no trace, never verbose
};

struct CheckOptions {
    std::vector<std::string> files; ///< never empty
    std::optional<Extents> lattice;
    OutputOptions output; ///< no trace, never verbose
};

using Command = std::variant<SolveOptions, PropagatorOptions, ApplyOptions, BenchOptions,
                             CompareOptions, LadderOptions, SimulateOptions, CalibrateOptions,
                             TraceOptions, InfoOptions, ConvertOptions, CheckOptions, Text>;

/// arguments: what follows the program's name. Throws Error (exit status 2) with one line.
Command parse(const std::vector<std::string>& arguments);

/// "qcd_starpu 1.0.0 (git 0123abc)"
std::string version_line();

} // namespace qcd::cli
