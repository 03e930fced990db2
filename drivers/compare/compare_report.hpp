#pragma once
// What `compare` leaves in its folder beside the runs: compare.json and charts.

#include "drivers/compare/bound_report.hpp"
#include "drivers/compare/calibration.hpp"
#include "drivers/compare/runtime_report.hpp"
#include "experiment/notebook.hpp"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace qcd
{

struct CompareReport {
    std::string problem; ///< as a command
    int ranks = 1;
    int sweeps = 0; ///< of a run, over the links of a gauge field; 0: it is a solve
    experiment::Design design;
    std::optional<Calibration> calibration; ///< none: stopped before it
    std::vector<experiment::Run> runs;
    experiment::Ranking ranking;
    std::string differing; ///< digests that are not alike, in a line; empty: none
    bool interrupted = false;
    BoundReport bounds;
    RuntimeReport runtime;
    std::vector<std::string> plots; ///< names of the charts
};

/// time, speedup, parts and idle, as far as they are known: writes them, sets report.plots, draws
/// them. Returns in a line why there are no pictures; empty: there are. Throws Error.
std::string draw_charts(CompareReport&, const std::string& folder);

/// The notebook in R that repeats statistics and charts.
experiment::Notebook notebook_of(const CompareReport&);

/// A table: set-up, transfers, computing and idling of each case that is ranked.
void print_times(std::ostream&, const CompareReport&);

experiment::Json to_json(const CompareReport&);

} // namespace qcd
