#pragma once
// One solve from options to report: what the command `solve` runs, and `compare` for each case.

#include "drivers/cli/options.hpp"
#include "drivers/problem.hpp"
#include "drivers/run_case.hpp"
#include "drivers/run_report.hpp"
#include "runtime/session.hpp"

#include <functional>

namespace qcd
{

class RunObserver;

/// What is done with StarPU started and a plan made; fills the report.
using PlannedRun = std::function<void(RunReport&, const Session&, const RunPlan&)>;

/// Starts StarPU, makes the plan, runs and stops it; prints what options.output lets it.
/// options.links is chosen. Nothing is run on a dry run. The source is described only. Throws
/// Error, DeviceError.
RunReport run_with_starpu(cli::SolveOptions, const ObservedGauge&, const SpinorSource&,
                          const PlannedRun&);

/// Starts StarPU, solves and stops it; prints what options.output lets it. options.links is chosen.
/// Nothing is solved on a dry run. RunObserver: null, or told
/// of the solves. Throws Error, DeviceError.
RunReport solve_with_starpu(const cli::SolveOptions&, ObservedGauge&, const SpinorSource&,
                            RunObserver*, const Beginning& = {});

/// The same with links, source and all that follows of its own, for who runs several. Not complete
/// where it was interrupted. Throws Error.
RunReport solve_by_itself(cli::SolveOptions, RunObserver* = nullptr);

/// What follows from what was measured: time and speed of a solve, and whether it is verified.
void complete(RunReport&);

} // namespace qcd
