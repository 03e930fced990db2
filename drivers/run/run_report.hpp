#pragma once
// What a run found, as text for people and as JSON for programs (docs/json.md). norm2 is |x|^2,
// and (a|b) = sum conj(a) b. A number that is not finite is null in JSON.

#include "base/error.hpp"
#include "drivers/machine/kernel_rates.hpp"
#include "drivers/machine/peak_arithmetic.hpp"
#include "drivers/plan/run_plan.hpp"
#include "lattice/boundary_phases.hpp"
#include "lattice/extents.hpp"
#include "lattice/gauge_observables.hpp"
#include "lattice/twist.hpp"
#include "runtime/energy.hpp"
#include "runtime/kernel_facts.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/ranks.hpp"
#include "solver/multigrid_report.hpp"
#include "solver/operator_norms.hpp"
#include "solver/report.hpp"

#include <complex>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace qcd
{

struct ProblemReport {
    Extents lattice{};
    bool antiperiodic = true;
    Theta theta{};
    double kappa = 0, mass = 0, mubar = 0, csw = 0;
    std::string gauge, source;                   ///< descriptions
    std::optional<BoundaryPhases> source_phases; ///< SpinorSource::phases()
    GaugeObservables observables;
    std::string precision = "double";
};

/// What --split chose and brought. Rates are 10^6 sites a second that an iteration advances; 0: not
/// measured.
struct SplitReport {
    std::optional<double> asked; ///< share of the sites on devices; none: auto
    double device_share = 0;
    double devices = 0, cores = 0; ///< measured, each kind alone
    double solve = 0;              ///< of the solve itself
    double seconds = 0;            ///< that the measurement took
    double budget = 0;             ///< seconds that it might take
    double predicted = 0;          ///< seconds that the solve was taken to need for that
    std::string reason;            ///< why one kind of worker has all; empty: it has not

    /// A line that says who computes which share and why, and what the measurement has spent.
    std::string decision() const;
    /// Over the devices alone; 0: not measured, or only one kind works.
    double gain() const { return devices > 0 && reason.empty() ? solve / devices : 0; }
    double bound() const { return cores > 0 ? (devices + cores) / devices : 0; }
};

/// A version of the ladder (docs/ladder.md).
struct StencilReport {
    std::string version;
    int multiple = 0;                 ///< sites of a work group; 0: the version does not say
    double flops_a_site = 0;          ///< by the version's own count, of an application
    std::optional<KernelFacts> facts; ///< of its kernel, where CUDA tells
};

/// What the recomputed residual says (verification.hpp).
enum class Verification {
    passed,  ///< it keeps what was promised
    nothing, ///< that was nothing: x is no better than 0, or rounding alone may be as large as b
    failed   ///< it does not keep it
};

/// What iterations in lower precision did.
struct SloppyReport {
    std::string precision;
    double drop = 0;
    std::vector<ReliableUpdate> updates;
    std::optional<int> single_iterations; ///< of all, where single went on; none: it did not
    std::optional<int> double_iterations; ///< of all, where double went on; none: it did not
};

/// --precondition
struct PreconditionerReport {
    std::string method; ///< its word
    int iterations = 0; ///< or steps, in each iteration of gcr
    std::string precision;
    std::optional<Extents> domain;              ///< none: the lattice
    long applications = 0;                      ///< of D or Dhat, all that it made
    std::optional<MultigridReport> multigrid{}; ///< none: it is another method
    /// What BiCGstab made of the iterations after multigrid was given up; none: it was not.
    std::optional<int> bicgstab_iterations{};
};

/// What --checkpoint wrote.
struct CheckpointReport {
    std::string file;
    int every_iterations = 0; ///< 0: by time
    double every_seconds = 0;
    int written = 0, failed = 0;
    int iteration = 0;  ///< that the last one written belongs to
    double seconds = 0; ///< that the solve stood still
    long bytes = 0;     ///< of the last file
};

/// What --resume went on from; applications of the operator that were done before.
struct ResumeReport {
    std::string file;
    int iteration = 0;
    long applications = 0;
};

struct RunReport {
    ProblemReport problem;

    std::string solver;
    std::vector<std::string> asked; ///< options, as they are typed (asked_of())
    bool even_odd = true;
    int links = 18;                       ///< reals stored per link
    std::optional<StencilReport> stencil; ///< none: today's kernels

    std::string engine = "starpu";
    std::optional<RunPlan> plan; ///< none without StarPU
    std::string command;         ///< that has the same run (plan/command.hpp)
    std::optional<SplitReport> split;
    WorkerCounts workers;
    double load_average = 0; ///< of one minute, before the run

    int iterations = 0;
    std::optional<int> cg_iterations;   ///< of them, where CG went on for CR; none: it did not
    std::optional<SloppyReport> sloppy; ///< none: in one precision
    std::optional<int> restart;         ///< of gcr; none: another method
    std::optional<PreconditionerReport> preconditioner;
    long operator_applications = 0; ///< of D or Dhat, those of a preconditioner included
    /// |b - D x|/|b|; `recomputed` is "true" in JSON: from x alone, in double.
    struct Residual {
        double requested = 0; ///< 0: convergence was not asked for
        double iterated = 0, recomputed = 0;
        double heavy_quark = 0; ///< recomputed likewise (lattice/heavy_quark_residual.hpp)
        double rounding = 0;    ///< what rounding alone may add (verification.hpp); not in JSON
    } residual;
    bool converged = false;
    Verification verification = Verification::failed;
    bool fixed_iterations = false; ///< convergence was not asked for
    bool breakdown = false;        ///< a divisor of the method became zero, negative or no number
    bool interrupted = false;
    std::vector<double> residual_history; ///< iterated residual after 0, 1, ... updates
    struct Solution {
        double norm2 = 0;
        std::complex<double> source_dot; ///< (b|x)
        std::string digest;
        double x_over_b = 0;                    ///< |x| / |b|, 0 for b = 0; not in JSON
        std::string file{};                     ///< that x is in; empty: none
        std::optional<BoundaryPhases> phases{}; ///< in it; none: there are none
    } solution;
    /// Each of several right-hand sides: its source, counts, residuals and solution. This report
    /// then has the worst of them, the applications of all, and the solution of the first one.
    /// Empty: there is one.
    std::vector<RunReport> rhs{};
    std::string guess;                          ///< description of what x began with; empty: 0
    std::optional<BoundaryPhases> guess_phases; ///< SpinorSource::phases()
    std::optional<CheckpointReport> checkpoint;
    std::optional<ResumeReport> resumed; ///< none: from its beginning
    std::string unsaved; ///< why files are missing or not as asked for, one line; not in JSON
    void add_unsaved(const std::string& line); ///< "" changes nothing

    struct Seconds {
        double setup = 0;      ///< with allocation
        double allocation = 0; ///< links, source and fields are registered, and filled as far as
                               ///< the host does; not in JSON
        /// Time by which the first iteration exceeds the second one: links and source reach the
        /// devices in it, and every kernel is launched for the first time. 0 on cores.
        double transfer = 0;
        double solve = 0, verify = 0;
        // Figures of a solve that are not in the JSON:
        double bus = 0; ///< Traffic::seconds
        /// Seconds in which workers on cores, and devices, executed kernels or tasks; 0: not known.
        double cores_busy = 0, devices_busy = 0;
    } seconds;
    std::vector<double> repeats; ///< seconds of every solve
    std::vector<double> rates;   ///< applications a second of every solve; not in JSON
    /// A further solve took so long.
    void add_time(double seconds)
    {
        repeats.push_back(seconds);
        const long before = resumed ? resumed->applications : 0;
        if (seconds > 0) rates.push_back(double(operator_applications - before) / seconds);
    }
    double gflops = 0;              ///< of the solve, by flops_a_site()
    long tasks = 0;                 ///< of a solve
    long all_tasks = 0;             ///< of all solves; not in JSON
    long bytes_moved = 0;           ///< between memories, as StarPU counts them
    std::vector<EnergyUsed> energy; ///< of a solve, on average; empty: nothing can be read
    double bus_gb_per_s = 0;        ///< host to device, as StarPU measured it; 0: no device
    /// Largest size that the memory of each rank has had, by rank; none without StarPU.
    std::vector<long> peak_bytes;
    std::optional<Transport> transport; ///< of messages; none: there is one rank

    std::vector<KernelRate> kernels; ///< none without StarPU
    double triad_gb_per_s = 0;       ///< of y <- x + beta y, all workers; 0: not measured
    long cache_bytes = 0;            ///< Session::cache_bytes(); not in JSON
    /// Bytes of the two vectors of that triad on this rank.
    long triad_bytes() const;
    /// Were they in the caches, at least in part, when the triad was measured?
    bool triad_in_cache() const { return triad_bytes() < beyond_caches * cache_bytes; }
    std::vector<PeakArithmetic> peaks; ///< with --report; else none
};

struct ApplyReport {
    ProblemReport problem;
    int links = 18; ///< reals stored per link
    OperatorNorms norms;
};

/// Flop of an application of D or Dhat, by convention: 1320 for a hopping term, and 504 for each
/// matrix of the clover term that a site is multiplied by.
double flops_a_site(const RunReport&);
/// The line that says which quark it is.
std::string quark(const ProblemReport&);
/// How many tasks, and what moved between memories, if anything.
std::string tasks_and_transfers(const RunReport&);

nlohmann::ordered_json to_json(const RunReport&);
nlohmann::ordered_json to_json(const ApplyReport&);

void print_text(std::ostream&, const RunReport&);
/// The lines that say how it runs, and what to type for the same.
void print_plan(std::ostream&, const RunPlan&, const std::string& command);
// Lines that a solve and a propagator have alike: how it ended, by what, on what.
std::string outcome(const RunReport&);
std::string method(const RunReport&);
void print_machine(std::ostream&, const RunReport&);
void print_text(std::ostream&, const ApplyReport&);

/// 0, 1 or 3. Exactly N iterations need not converge, nor make x better than 0; what did not
/// converge need not be verified.
ExitStatus exit_status(const RunReport&);

/// A line that says so where multigrid would apply the operator far less often; "": it would not,
/// or is not for this run.
std::string multigrid_advice(const RunReport&, const RunSpec&);

} // namespace qcd
