#pragma once
// What a run is asked to do: values as they were typed, nothing that is chosen, no services. Each
// field is described once, in drivers/spec/run_fields.cpp; rules between them are in rules.cpp.

#include "codelets/ladder/versions.hpp"
#include "drivers/spec/value.hpp"
#include "lattice/boundary_phases.hpp"
#include "lattice/extents.hpp"
#include "lattice/link_storage.hpp"
#include "lattice/precision.hpp"
#include "lattice/spin_basis.hpp"
#include "lattice/twist.hpp"
#include "program/call.hpp"
#include "runtime/plan.hpp"
#include "solver/method.hpp"
#include "solver/multigrid_parameters.hpp"

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace qcd
{

/// Which D, which b, and from where on.
struct ProblemSpec {
    Value<std::optional<Extents>, "--lattice"> lattice;
    Value<std::string, "--gauge"> gauge{"weak:0.2"}; ///< see is_generated()
    // How files are read: GaugeReading; of spinors' files the checksum only.
    Value<bool, "--reunitarize"> reunitarize;
    Value<std::optional<int>, "--gauge-number"> gauge_number;
    Value<bool, "--ignore-checksum"> ignore_checksum;
    // One of both at most: mass_of(), kappa_of().
    Value<std::optional<double>, "--mass"> mass;
    Value<std::optional<double>, "--kappa"> kappa;
    Value<double, "--mubar"> mubar;
    Value<double, "--csw"> csw; ///< 0: no clover term
    Value<bool, "--boundary"> antiperiodic{true};
    Value<Theta, "--theta"> theta;                              ///< besides
    Value<std::string, "--source"> source{"random:1"};          ///< see is_generated_source()
    Value<std::optional<int>, "--source-number"> source_number; ///< in a file; none: there is one
    // What files of spinors that do not say it are in; none: the usual one of their format.
    Value<std::optional<SpinBasis>, "--basis"> basis;
    Value<std::optional<BoundaryPhases>, "--phases"> phases;
    Value<std::string, "--guess"> guess;                      ///< file to begin with; empty: x = 0
    Value<std::optional<int>, "--guess-number"> guess_number; ///< as source_number
    bool operator==(const ProblemSpec&) const = default;
};
double mass_of(const ProblemSpec&);
double kappa_of(const ProblemSpec&); ///< 1/(2(mass+4))

/// --precondition
struct PreconditionerChoice {
    std::string method; ///< its word: a method's, "mr", "schwarz" or "mg"
    int iterations = 4; ///< of mg: of its smoother
    bool operator==(const PreconditionerChoice&) const = default;
};

/// What decides on the bits of x besides. none: chosen by completed() (rules.hpp).
struct MethodSpec {
    Value<std::optional<Method>, "--solver"> solver;
    Value<std::optional<bool>, "--even-odd"> even_odd;
    Value<const LadderVersion*, "--ladder">
        ladder; ///< a version of the ladder of 2013; null: today's kernels
    Value<std::optional<int>, "--multiple"> multiple;          ///< sites of its work groups
    Value<Precision, "--precision"> precision{Precision::f64}; ///< or f32
    Value<std::optional<LinkStorage>, "--links"> links;
    Value<std::optional<Precision>, "--sloppy"> sloppy; ///< of the iterations; none: precision
    Value<std::optional<double>, "--sloppy-drop"> sloppy_drop;
    // Options of gcr.
    Value<std::optional<int>, "--restart"> restart;
    Value<std::optional<PreconditionerChoice>, "--precondition"> precondition;
    Value<std::optional<Extents>, "--domain"> domain; ///< none: the lattice
    // These are for multigrid; where one is none solver/multigrid_parameters.hpp says what holds.
    Value<std::optional<std::vector<Extents>>, "--mg-blocks"> mg_blocks; ///< of each level
    Value<std::optional<int>, "--mg-vectors"> mg_vectors;
    Value<std::optional<int>, "--mg-first"> mg_first;
    Value<std::optional<int>, "--mg-setup"> mg_setup;
    Value<std::optional<int>, "--mg-cycle"> mg_cycle;
    Value<std::optional<int>, "--mg-coarse"> mg_coarse;
    Value<std::optional<double>, "--mg-tol"> mg_tol;
    Value<std::string, "--mg-load"> mg_load;         ///< file of test vectors; empty: they are made
    Value<std::optional<double>, "--tol"> tolerance; ///< on |r|/|b|
    Value<std::optional<int>, "--max-iterations"> max_iterations;
    Value<std::optional<int>, "--iterations"> iterations; ///< exactly so many, no convergence test
    bool operator==(const MethodSpec&) const = default;
};

/// Options that mean something with multigrid alone.
inline constexpr std::array of_multigrid{"--mg-blocks", "--mg-vectors", "--mg-first",
                                         "--mg-setup",  "--mg-cycle",   "--mg-coarse",
                                         "--mg-tol",    "--mg-load",    "--mg-save"};

/// Is its preconditioner multigrid?
inline bool is_multigrid(const MethodSpec& m)
{
    return m.precondition() && m.precondition()->method == "mg";
}

enum class Engine { starpu, sequential, openmp };

/// The share of the sites that devices compute, the rest being the cores'; none: by their rates.
struct Split {
    std::optional<double> devices;
    bool operator==(const Split&) const = default;
};

/// --plan
struct PlanChoice {
    PlanKind kind = PlanKind::graph;
    std::optional<int> iterations{}; ///< most of a task; none: chosen
    std::string file{};              ///< of schedules, to be replayed; empty: they are taken down
    bool operator==(const PlanChoice&) const = default;
};

/// How often the state of a solve is written: every so many iterations, or, where that is 0, so
/// much time.
struct CheckpointInterval {
    int iterations = 0;
    std::chrono::seconds time{600};
    bool operator==(const CheckpointInterval&) const = default;
};

/// How it is executed, which changes no bits. none: chosen, or left to StarPU's environment
/// variables.
struct ExecutionSpec {
    Value<Engine, "--engine"> engine{Engine::starpu};
    Value<std::optional<PlanChoice>, "--plan"> plan;
    Value<std::optional<Split>, "--split"> split; ///< devices and cores together, on unequal tiles
    Value<std::optional<Extents>, "--tiles"> tiles; ///< number of tiles per direction
    Value<std::string, "--sched"> sched;
    Value<std::string, "--sched-lib"> sched_lib; ///< file that has it; empty: StarPU
    // Numbers of workers; for the engine openmp, cpus = threads.
    Value<std::optional<int>, "--cpus"> cpus;
    Value<std::optional<int>, "--cores-per-worker"> cores_per_worker; ///< of CPU workers
    Value<std::optional<int>, "--cuda"> cuda;
    Value<std::optional<int>, "--opencl"> opencl;
    Value<std::optional<long>, "--gpu-memory"> gpu_memory; ///< bytes of each device
    /// Right-hand sides that are solved together (lattice/several_sources.hpp).
    Value<std::optional<int>, "--rhs"> rhs;
    Value<int, "--repeat"> repeat{1};
    Value<std::string, "--checkpoint"> checkpoint; ///< file; empty: not asked for
    Value<std::optional<CheckpointInterval>, "--checkpoint-every"> checkpoint_every;
    Value<std::string, "--resume"> resume; ///< file; empty: not asked for
    /// StarPU's models of how long tasks take: measured further, or left as they are; none: as
    /// StarPU's environment says. No option: compare decides.
    std::optional<bool> calibrate;
    bool operator==(const ExecutionSpec&) const = default;
};

/// What is written and printed; files and folders are empty where not asked for.
struct OutputSpec {
    Value<std::string, "--json"> json; ///< what write_whole() writes, "-": stdout, text to stderr
    Value<std::string, "--trace"> trace;
    Value<std::string, "--save-schedule"> save_schedule; ///< file; empty: not asked for
    Value<std::string, "--trace-fxt"> trace_fxt;
    Value<std::string, "--report"> report; ///< a page
    Value<std::string, "--save-gauge"> save_gauge;
    Value<std::string, "--save-solution"> save_solution;
    Value<std::string, "--mg-save"> mg_save; ///< file of multigrid's test vectors
    Value<std::optional<SpinBasis>, "--solution-basis"> solution_basis;
    Value<std::optional<BoundaryPhases>, "--solution-phases"> solution_phases;
    Value<bool, "--dry-run"> dry_run; ///< say what would run, and end
    Value<bool, "--quiet"> quiet;
    Value<bool, "--verbose"> verbose; ///< StarPU's warnings are shown, and levels measured
    Call call{"qcd_starpu", {}};      ///< what JSON tells of it
    operator const Call&() const { return call; }
    bool operator==(const OutputSpec&) const = default;
};

struct RunSpec {
    ProblemSpec problem;
    MethodSpec method;
    ExecutionSpec execution;
    OutputSpec output;
    bool operator==(const RunSpec&) const = default;
};

} // namespace qcd
