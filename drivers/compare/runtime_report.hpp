#pragma once
// What StarPU's runtime cost: graphs beside the replays of their schedules, and what their workers
// did instead of executing tasks. As text and in compare.json.

#include "drivers/compare/looks.hpp"
#include "experiment/ranking.hpp"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace qcd
{

/// Two cases that differ in their plans alone.
struct ReplayPair {
    std::string graph, replay;                    ///< names
    double graph_seconds = 0, replay_seconds = 0; ///< medians
    experiment::PairedRatio ratio;                ///< graph over replay
};

struct NamedSplit {
    std::string name; ///< of the case
    RuntimeSplit split;
};

struct RuntimeReport {
    std::vector<ReplayPair> pairs;
    std::vector<NamedSplit> splits; ///< of those that are graphs, as they are ranked
};

/// Of cases that were not recorded in this process what `earlier` has.
RuntimeReport runtime_report(const experiment::Design&, const experiment::Ranking&,
                             const std::vector<experiment::Run>&, const Looks&,
                             const RuntimeReport& earlier);

void print_text(std::ostream&, const RuntimeReport&);

/// As docs/schema/compare.schema.json says under "runtime".
experiment::Json to_json(const RuntimeReport&);
/// Of the compare.json of an earlier call in this folder its splits; empty where there is none.
RuntimeReport earlier_runtime(const std::string& folder);

} // namespace qcd
