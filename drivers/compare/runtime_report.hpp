#pragma once
// What StarPU's runtime cost: graphs beside the replays of their schedules, and what their workers
// did instead of executing tasks. It is printed and stands in compare.json.

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

/// Cases that were not recorded in this process have what `earlier` has of them.
RuntimeReport runtime_report(const experiment::Design&, const experiment::Ranking&,
                             const std::vector<experiment::Run>&, const Looks&,
                             const RuntimeReport& earlier);

void print_text(std::ostream&, const RuntimeReport&);

/// What docs/schema/compare.schema.json says under "runtime".
experiment::Json to_json(const RuntimeReport&);
/// The splits of an earlier call's compare.json (earlier_comparison()); empty where it has none.
RuntimeReport earlier_runtime(const experiment::Json& comparison);

} // namespace qcd
