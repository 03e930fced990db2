#pragma once
// What a trace says in numbers, as text for people and as JSON for programs.

#include "traces/profile.hpp"
#include "traces/trace.hpp"

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace qcd
{

struct TraceReport {
    /// Copies between two memories.
    struct Moved {
        std::string from, to;
        long count = 0;
        double bytes = 0;
    };
    /// Buffers that gave way to others.
    struct Evicted {
        std::string memory;
        long count = 0;
        double bytes = 0;
    };
    std::string folder;
    std::vector<std::pair<std::string, std::string>> about;
    double from_ms = 0, to_ms = 0;                 ///< since the recording began
    int first_iteration = -1, last_iteration = -1; ///< -1: there is none
    std::vector<Moved> moved;
    std::vector<Evicted> evicted;
    Profile profile;

    double wall_ms() const { return to_ms - from_ms; }
};

/// The report of the part of the trace that is shown.
TraceReport report_of(const Trace&, const std::string& folder);

void print_text(std::ostream&, const TraceReport&);
nlohmann::ordered_json to_json(const TraceReport&);

} // namespace qcd
