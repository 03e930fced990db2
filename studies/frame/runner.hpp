#pragma once
// Runs of a study, and what they say.

#include "experiment/statistics.hpp"
#include "studies/frame/options.hpp"

#include <iosfwd>

namespace qcd::studies
{

/// One quantity of all runs that count.
struct Measured {
    Quantity of; ///< without a value
    std::vector<double> values;
    experiment::Summary summary;
};

struct StudyReport {
    std::string study, problem, scheduler;
    Json about; ///< Study::to_json()
    Plan plan;
    WorkerCounts workers;
    std::vector<double> seconds;
    std::vector<Measured> quantities;
    std::string digest; ///< empty: none
    bool one_digest = true;
    std::string fault; ///< of the first run with one
    bool ended = true, interrupted = false;
    long tasks = 0; ///< of a run
    double load_average = 0;
};

inline constexpr double confidence = 0.95; ///< of intervals

/// Runs a study in a session of its own. The last run is recorded if asked for.
StudyReport run_study(StudyCall&);
/// A single run without anything recorded, for comparisons.
Result run_once(StudyCall&);

/// 0, 1: not ended or interrupted, 3: a fault
int status_of(const StudyReport&);
void print_text(std::ostream&, const StudyReport&);
Json to_json(const StudyReport&);

/// Exit status.
int compare_studies(const CompareCall&);

} // namespace qcd::studies
