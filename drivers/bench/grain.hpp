#pragma once
// `bench --grain`: which share of the workers' time is work, against the size of tasks. The same
// steps on tilings from one tile a worker to the smallest, by each scheduler on each set of
// workers, in shuffled rounds.

#include "drivers/bench/grain_workloads.hpp"
#include "experiment/grain.hpp"
#include "experiment/rounds.hpp"
#include "experiment/run_file.hpp"

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace qcd
{

/// One tiling of a series.
struct GrainTiling {
    std::vector<int> parts;    ///< per direction
    double tasks = 0;          ///< of a run
    std::string failure;       ///< why it was not measured; empty: it was, or not yet
    experiment::GrainPoint of; ///< n = 0: not measured
};

/// One scheduler on one set of workers.
struct GrainSeries {
    WorkerCounts workers;
    std::string scheduler;
    std::vector<GrainTiling> tilings; ///< from the largest tasks to the smallest
    experiment::HalfGrain half;
    std::string label() const; ///< "2 CPU, lws"
};

/// One workload.
struct GrainReport {
    std::string workload, what;
    int steps = 0;
    std::vector<int> extents;
    int rounds = 0;
    double confidence = 0.95; ///< of intervals
    double load_average = 0;  ///< before the first run
    bool complete = false;    ///< every case ran in every round
    std::vector<GrainSeries> series;
};

/// One workload, to be measured. With --out its runs are kept, and what is there is not run again.
class GrainMeasurement
{
public:
    /// Throws Error where the grid is too small for the workers, or the folder is another's.
    GrainMeasurement(const BenchSpec&, GrainWorkload, const std::vector<WorkerCounts>&);
    GrainMeasurement(const GrainMeasurement&) = delete;
    GrainMeasurement& operator=(const GrainMeasurement&) = delete;

    /// Runs what is missing; a note says which cases are left out. Returns what there is where a
    /// stop is asked for. Throws Error (verification) where two runs differ in a bit.
    GrainReport run(Ranks&);
    std::string folder() const; ///< in --out; empty: none

private:
    /// One tiling by one scheduler on one set of workers.
    struct Case {
        std::size_t series, tiling; ///< places in the report
    };
    void make_design();
    /// calibrate: StarPU's models are measured further; else they are left as they are. Nothing: it
    /// was stopped.
    std::optional<experiment::Outcome> run_case(const Case&, bool calibrate, Ranks&) const;
    void measure_models(Ranks&) const;
    void fill(const std::vector<experiment::Run>&);

    const BenchSpec& o_;
    GrainWorkload workload_;
    GrainReport report_;
    std::vector<Case> cases_;
    experiment::Design design_;
    std::optional<experiment::RunFile> file_; // it refers to the design
};

void print_text(std::ostream&, const GrainReport&);
nlohmann::ordered_json to_json(const GrainReport&);

/// Efficiency and overhead against the size of tasks, into this folder. Returns in a line why there
/// are no pictures; empty: there are, or there was nothing to draw.
std::string draw_charts(const std::string& folder, const GrainReport&);

} // namespace qcd
