#pragma once
// What `ladder` leaves beside the runs: a table, ladder.json and the report's two charts.

#include "drivers/ladder/rows.hpp"
#include "experiment/rounds.hpp"
#include "experiment/statistics.hpp"

#include <iosfwd>

namespace qcd
{

/// A row as it was measured.
struct LadderResult {
    experiment::Summary seconds;
    std::vector<double> means; ///< of ladder_quantities(); NaN: not measured
    std::optional<experiment::PairedRatio> over_core, over_cores; ///< speed-up over "original"
    std::string failure; ///< why it has none of that; empty: it has
};

struct LadderReport {
    std::string problem; ///< as a command
    int ranks = 1;
    bool iterations_chosen = false;
    std::vector<LadderRow> rows;
    experiment::Design design; ///< its cases are the rows
    std::vector<experiment::Run> runs;
    std::vector<LadderResult> results; ///< of the rows
    std::string differing;             ///< digests of one row that are not alike; empty: none
    bool interrupted = false;
    std::vector<std::string> charts;
};

/// The results of the runs.
std::vector<LadderResult> ladder_results(const LadderReport&);

/// Draws speed-up and GFLOPS by version for each device; sets report.charts. Returns a line that
/// says why there are no pictures; empty: there are. Throws Error.
std::string draw_ladder(LadderReport&, const std::string& folder);

void print_text(std::ostream&, const LadderReport&);
experiment::Json to_json(const LadderReport&);

} // namespace qcd
