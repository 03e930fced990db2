#pragma once
// What takes longer in one trace than in another, by kernel and kind of worker.

#include "drivers/trace/trace_report.hpp"

namespace qcd
{

struct TraceComparison {
    struct Side {
        long count = 0;
        double mean_us = 0, total_ms = 0;
    };
    struct Row {
        std::string name, worker; ///< "idle", "": what no worker executes
        Side first, second;
        double change_ms() const { return second.total_ms - first.total_ms; }
    };
    TraceReport first, second;
    std::vector<Row> rows; ///< what gets longer most, first
};

/// What takes longer in the second than in the first.
TraceComparison compare(const TraceReport& first, const TraceReport& second);

void print_text(std::ostream&, const TraceComparison&);
nlohmann::ordered_json to_json(const TraceComparison&);

} // namespace qcd
