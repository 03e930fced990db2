#pragma once
// Rounds of runs, each with a session of its own: what compare and the ladder run. Order,
// rounds and files are the first rank's, which tells the others which case is next.

#include "drivers/run/run_report.hpp"
#include "drivers/spec/run_spec.hpp"
#include "experiment/rounds.hpp"
#include "experiment/run_file.hpp"
#include "runtime/ranks.hpp"

#include <functional>
#include <optional>

namespace qcd
{

/// What one run gives an experiment, by outcome_of(report); a case that fails on all ranks has
/// its line in place. Returns nothing where it was interrupted, here or on another rank.
std::optional<experiment::Outcome>
outcome_of_run(Ranks&, const std::function<RunReport()>& run,
               const std::function<experiment::Outcome(const RunReport&)>& outcome_of);

/// The rounds of a design that its file lacks, with a progress line and a note for each case that
/// is left out. run(which) is called on the first rank, which has told the others before, by
/// SharedRuns::begin(which, manner).
std::vector<experiment::Run>
measure_rounds(const experiment::Design&, experiment::RunFile&, Ranks&, const OutputSpec&,
               const std::function<std::optional<experiment::Outcome>(int which)>& run,
               int manner = 0);

} // namespace qcd
