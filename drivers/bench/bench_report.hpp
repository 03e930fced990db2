#pragma once
// What `bench` found, as text for people and as JSON for programs (docs/json.md).

#include "drivers/bench/grain.hpp"
#include "drivers/machine/memory_bandwidth.hpp"
#include "experiment/ranking.hpp"
#include "lattice/extents.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/worker_counts.hpp"

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace qcd
{

/// One operation on one lattice in one precision, which was verified before it was timed.
struct OperationRow {
    std::string operation, precision;
    int links = 0; ///< reals stored per link; 0: the operation reads none
    Extents lattice{}, tiles{};
    double seconds = 0; ///< of one call for each right-hand side, median
    std::optional<double>
        plain; ///< the same in plain loops over the kernels, where the workers are cores
    double flop = 0, bytes = 0; ///< of one call by the contract; 0: nothing is counted
    double gflops() const { return flop / seconds / 1e9; }
    double gb_per_s() const { return bytes / seconds / 1e9; }
};

/// All operations on one set of workers.
struct ConfigurationReport {
    WorkerCounts workers;
    std::string scheduler;
    double load_average = 0; ///< before the operations
    /// The host's memory, with as many threads as CPU workers have cores; an interrupted run has no
    /// `after`.
    std::optional<MemoryBandwidth> before, after;
    std::optional<double> device_triad; ///< GB/s of devices (bench_timing.hpp)
    std::vector<OperationRow> rows;

    /// GB/s of devices, else the mean of `before` and `after`, else that of `before`.
    std::optional<double> triad() const;
    std::optional<double> read() const;
};

/// Solves by Conjugate Residual on one lattice, by several sides in shuffled rounds:
///   overhead  of fixed length, "starpu" as tasks, and "plain" as plain loops over the same kernels
///             and tiles
///   engines   the main job on all three engines, "starpu", "openmp" and "sequential", and by
///             "kernels", those of starpu's in plain loops: what these gain over openmp is of the
///             kernels (wide registers, fused updates, 12 reals a link), the rest of the tasks
struct SolveRow {
    std::string precision;
    Extents lattice{}, tiles{};
    WorkerCounts workers; ///< of starpu; openmp has as many threads as these cores
    double load_average = 0;
    int iterations = 0, plain_iterations = 0; ///< of starpu; of the plain engines
    long tasks = 0;                           ///< of an overhead alone
    experiment::Design design{};
    experiment::Ranking ranking{};
    /// The median of a side, in seconds.
    double median(const std::string& side) const { return median_of(design, ranking, side); }
    double ratio(const char* of, const char* to) const { return median(of) / median(to); }
};

struct BenchReport {
    MachineFacts machine;
    std::string isa;
    int ranks = 1; ///< with workers of their own, which the configurations count for each
    int repeat = 0;
    int rhs = 1; ///< right-hand sides that operations are on; times and bytes are of each
    bool interrupted = false; ///< the report has what was measured before
    std::vector<ConfigurationReport> configurations;
    std::vector<SolveRow> overheads, engines;
    std::vector<GrainReport> grains; ///< of --grain, which has none of the others
};

/// Prints the machine. The parts follow as they are measured.
void print_heading(std::ostream&, const BenchReport&);
void print_text(std::ostream&, const ConfigurationReport&);
/// What the columns of operations mean, where some were timed.
void print_legend(std::ostream&, const BenchReport&);
void print_overheads(std::ostream&, const std::vector<SolveRow>&);
void print_engines(std::ostream&, const std::vector<SolveRow>&);

nlohmann::ordered_json to_json(const BenchReport&);

} // namespace qcd
