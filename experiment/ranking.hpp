#pragma once
// From runs to a ranking: which case is the fastest, by how much the others are slower, and which
// of these differences are certain.

#include "experiment/rounds.hpp"
#include "experiment/statistics.hpp"

#include <iosfwd>

namespace qcd::experiment
{

/// What "certain" means.
struct Certainty {
    double level = 0.05;      ///< how often one of all comparisons may raise a false alarm
    double confidence = 0.95; ///< of intervals, each by itself
    double power = 0.8;       ///< with which the difference that is stated would be found
};

struct Ranked {
    int which = 0; ///< of the design's cases
    Summary seconds;
    PairedRatio to_best;              ///< of the best case itself: 1, in as many rounds as it has
    std::optional<double> corrected;  ///< to_best.p by Holm for all pairs of cases
    bool differs = false;             ///< corrected < level
    std::optional<double> detectable; ///< ratio to the best that would have been found
    std::string failure;              ///< why it is not ranked; empty: it is
};

/// Cases are ranked by the mean logarithm of their seconds, so that ratios have the same order. The
/// best is found from the same numbers that it is compared by; so the correction is for all pairs,
/// not only for those with the best: else a false alarm would come more often than `level` says.
struct Ranking {
    Certainty certainty;
    int pairs = 0;             ///< compared
    std::vector<Ranked> cases; ///< best first; at the end those that failed or were never run
};

Ranking rank(const Design&, const std::vector<Run>&, const Certainty& = {});

/// The median of the seconds of the case of this name; 0: it is not ranked.
double median_of(const Design&, const Ranking&, const std::string& name);

/// The table, and why cases are not in it.
void print_text(std::ostream&, const Design&, const Ranking&);

/// One sentence: which case is the fastest, or which do not differ, and what more rounds would
/// show. Nothing where there are no two to compare.
void print_verdict(std::ostream&, const Design&, const Ranking&);

/// docs/schema/common.schema.json describes it under "ranking".
Json to_json(const Design&, const Ranking&);

} // namespace qcd::experiment
