#pragma once
// One way of running a solve: what `solve`, `bench` and `--split` execute, and compare.

#include "drivers/run/problem.hpp"
#include "drivers/run/solve_case.hpp"

#include <memory>
#include <span>

namespace qcd
{

class Checkpointing;
class RunObserver;

/// What a solve begins with, each of its repetitions.
struct Beginning {
    std::span<const std::unique_ptr<SpinorSource>> guesses{}; ///< of each right-hand side; none: 0
    Checkpointing* checkpointing = nullptr; ///< null: no checkpoints; else it is solved once
    /// All right-hand sides of one solve, where there are several; else empty, or the one.
    std::span<const std::unique_ptr<SpinorSource>> sources{};
};

/// Solves for the sources that the case has, once and together, and verifies each x: fills what the
/// reports of whole.rhs say of that, which are as many; `sources` of them share the time.
void solve_once(RunReport& whole, const RunSpec&, SolveCase&, int sources);

/// Sets the case up, solves it as often as the options say, verifies the solution and compares the
/// kernels with a vector update: fills what a report says of all that. RunObserver: null, or told
/// of the solves. The solution is saved if the options ask for it.
void run_case(RunReport&, const RunSpec&, const Session&, const RunPlan&, ObservedGauge&,
              const SpinorSource&, RunObserver*, const Beginning& = {});

} // namespace qcd
