#pragma once
// What `compare` leaves in its folder beside the runs: compare.json and charts.

#include "drivers/compare/bound_report.hpp"
#include "experiment/ranking.hpp"

#include <string>
#include <vector>

namespace qcd
{

/// What is measured of a run beside its seconds. The parts of a solve are seconds of all CPU
/// workers together, by groups of operations; not known where devices work.
inline const std::vector<std::string> compare_quantities{
    "setup_seconds",   "gflops",       "tasks",         "hopping_seconds", "faces_seconds",
    "updates_seconds", "sums_seconds", "other_seconds", "idle_seconds",    "idle_percent"};

struct CompareReport {
    std::string problem; ///< as a command
    experiment::Design design;
    std::vector<experiment::Run> runs;
    experiment::Ranking ranking;
    std::string differing; ///< digests that are not alike, in a line; empty: none
    bool interrupted = false;
    BoundReport bounds;
    std::vector<std::string> plots; ///< names of the charts
};

/// time, speedup, parts and idle, as far as they are known: writes them, sets report.plots, draws
/// them. Returns in a line why there are no pictures; empty: there are. Throws Error.
std::string draw_charts(CompareReport&, const std::string& folder);

experiment::Json to_json(const CompareReport&);

} // namespace qcd
