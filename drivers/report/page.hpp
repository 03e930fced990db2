#pragma once
// --report: a run as one page for a browser, which needs nothing else: what ran, the answer, and
// where the time went (docs/traces.md). It is page.html with what that names, and these data.

#include "traces/trace.hpp"

#include <nlohmann/json.hpp>
#include <string>

namespace qcd
{

struct Page {
    nlohmann::ordered_json run;   ///< what --json of a solve or of `generate` writes
    nlohmann::ordered_json trace; ///< of TraceReport
    nlohmann::ordered_json bound; ///< of CaseBound; null: not known
};

/// The most tasks of a trace that are in a page: those that started first.
inline constexpr std::size_t most_tasks_of_page = 1'000'000;

/// Throws Error.
void write_page(const std::string& file, const Page&, const Trace&);

} // namespace qcd
