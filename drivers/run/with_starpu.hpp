#pragma once
// One solve from options to report: what the command `solve` runs, and `compare` for each case.

#include "drivers/run/problem.hpp"
#include "drivers/run/run_case.hpp"
#include "drivers/run/run_report.hpp"
#include "drivers/spec/commands.hpp"
#include "runtime/session.hpp"

#include <functional>

namespace qcd
{

class RunObserver;

/// What is done with StarPU started and a plan made; fills the report.
using PlannedRun = std::function<void(RunReport&, const Session&, const RunPlan&)>;

/// Starts StarPU, makes the plan, runs and stops it; prints what the spec's output lets it. The spec
/// is complete (rules.hpp), and its links are chosen; where it says no right-hand sides, as many
/// as memory holds. Nothing is run on a dry run. The source is described only. words: of
/// equivalent_command(). Throws Error, DeviceError.
RunReport run_with_starpu(RunSpec, const ObservedGauge&, const SpinorSource&, Ranks&,
                          const PlannedRun&, const std::string& words = "");

/// Like run_with_starpu(), where what is run is a solve. RunObserver: null, or told of the solves.
RunReport solve_with_starpu(const RunSpec&, ObservedGauge&, const SpinorSource&, Ranks&,
                            RunObserver*, const Beginning& = {});

/// Like solve_with_starpu(), with links and source of its own, for a caller that runs several
/// solves. Not complete where it was interrupted. Throws Error.
RunReport solve_by_itself(const RunSpec&, Ranks&, RunObserver* = nullptr);

/// What follows from what was measured: time and speed of a solve, and whether it is verified.
void complete(RunReport&);

} // namespace qcd
