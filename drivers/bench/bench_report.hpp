#pragma once
// What `bench` found, as text for people and as JSON for programs (docs/json.md).

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

/// One operation on one lattice in one precision; verified before it was timed.
struct OperationRow {
    std::string operation, precision;
    int links = 0; ///< reals stored per link; 0: the operation reads none
    Extents lattice{}, tiles{};
    double seconds = 0;          ///< of one call for each right-hand side, median
    std::optional<double> plain; ///< the same in plain loops over the kernels; of CPU workers
    double flop = 0, bytes = 0;  ///< of one call, by the contract; 0 for scalar operations
    double gflops() const { return flop / seconds / 1e9; }
    double gb_per_s() const { return bytes / seconds / 1e9; }
};

/// All operations on one set of workers.
struct ConfigurationReport {
    WorkerCounts workers;
    std::string scheduler;
    double load_average = 0; ///< before
    /// Of the host, with as many threads as CPU workers have cores; no `after` for an interrupted
    /// run.
    std::optional<MemoryBandwidth> before, after;
    std::optional<double> device_triad; ///< GB/s of devices (bench_timing.hpp)
    std::vector<OperationRow> rows;

    /// GB/s: of devices, or the mean of before and after, or before.
    std::optional<double> triad() const;
    std::optional<double> read() const;
};

/// Runs in shuffled rounds.
struct Comparison {
    experiment::Design design;
    experiment::Ranking ranking;
    /// Seconds.
    double median(const char* name) const { return median_of(design, ranking, name); }
    double ratio(const char* of, const char* to) const { return median(of) / median(to); }
};

/// A Conjugate Residual solve of fixed length as StarPU tasks and as plain loops over the same
/// kernels and tiles.
struct OverheadRow {
    std::string precision;
    Extents lattice{}, tiles{};
    WorkerCounts workers;
    int iterations = 0;
    long tasks = 0;
    double load_average = 0;
    Comparison times; ///< "starpu", "plain"
};

/// The main job on all three engines, and by the kernels of starpu's in plain loops: what these
/// gain over openmp is of the kernels (wide registers, fused updates, 12 reals a link), the rest of
/// the tasks.
struct EngineRow {
    Extents lattice{}, tiles{};
    WorkerCounts workers; ///< of starpu; openmp has as many threads as these cores
    int starpu_iterations = 0, plain_iterations = 0;
    double load_average = 0;
    Comparison times; ///< "starpu", "kernels", "openmp", "sequential"
};

struct BenchReport {
    MachineFacts machine;
    std::string isa;
    int ranks = 1; ///< with workers of their own, which the configurations count for each
    int repeat = 0;
    int rhs = 1; ///< right-hand sides that operations are on; times and bytes are of each
    bool interrupted = false; ///< what is there was measured before
    std::vector<ConfigurationReport> configurations;
    std::vector<OverheadRow> overheads;
    std::vector<EngineRow> engines;
};

/// Machine and, where operations are timed, what their columns mean; the parts follow as they are
/// measured.
void print_heading(std::ostream&, const BenchReport&, bool with_operations);
void print_text(std::ostream&, const ConfigurationReport&);
void print_text(std::ostream&, const std::vector<OverheadRow>&);
void print_text(std::ostream&, const std::vector<EngineRow>&);

nlohmann::ordered_json to_json(const BenchReport&);

} // namespace qcd
