#pragma once
// Bounds, losses and warnings of a comparison, as text and in compare.json.

#include "drivers/compare/looks.hpp"
#include "experiment/ranking.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace qcd
{

struct NamedBound {
    std::string name;                 ///< of the case
    std::optional<CaseBound> bound{}; ///< none: why says so
    std::string why{};
};

struct BoundReport {
    std::vector<NamedBound> cases; ///< as they are ranked
    FastestTimes fastest;
    std::vector<std::string> warnings;
};

/// Cases that were not recorded in this process have what `earlier` has of them.
BoundReport bound_report(const experiment::Design&, const experiment::Ranking&,
                         const std::vector<experiment::Run>&, const Looks&,
                         const BoundReport& earlier);

/// A line for each case.
void print_text(std::ostream&, const BoundReport&);

/// docs/schema/compare.schema.json describes it under "bounds", "cases", "bound".
experiment::Json to_json(const CaseBound&);
/// docs/schema/compare.schema.json describes it under "bounds".
experiment::Json to_json(const BoundReport&);
/// The compare.json of an earlier call in this folder; no object where there is none.
experiment::Json earlier_comparison(const std::string& folder);
/// What it says of bounds; empty where it says nothing.
BoundReport earlier_bounds(const experiment::Json& comparison);

} // namespace qcd
