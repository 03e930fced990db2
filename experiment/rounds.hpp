#pragma once
// Runs a design: its cases in turn, in shuffled order, round after round. Drift of the machine then
// meets all cases alike, and the cases of a round can be compared in pairs.

#include "experiment/run_file.hpp"

#include <functional>
#include <optional>

namespace qcd::experiment
{

/// What is known before a run, for who shows progress.
struct Progress {
    int done = 0, runs = 0;             ///< of this call, with those of the warm-up
    int round = 0;                      ///< 0: warm-up
    int which = 0;                      ///< the case that is about to run
    std::optional<double> seconds_left; ///< by the wall time that each case took last
};

struct Control {
    /// Runs a case once; nothing: it was stopped. What it throws passes through.
    std::function<std::optional<Outcome>(int which)> run;
    // The functions that follow may be empty.
    std::function<void(const Progress&)> progress{};
    std::function<bool()> stop{}; ///< asked before each run
    /// Told, in a line, of each case that fails, and is left out of what follows.
    std::function<void(const std::string&)> left_out{};
};

/// Returns all runs, also those that failed, and of each case in each round the last one; the
/// warm-up is round 0. A case that fails is left out of what follows. With a file, what it has is
/// not measured again, but for failures, and each run is appended to it. Ends early where a run or
/// `stop` says so.
std::vector<Run> run_rounds(const Design&, const Control&, RunFile* file = nullptr);

/// How many runs run_rounds() would make if none failed, with those of the warm-up.
int runs_to_go(const Design&, const std::vector<Run>& measured);

/// Did every case run in every round?
bool complete(const Design&, const std::vector<Run>&);

/// A line on two runs whose results differ and should not (Design::one_result); empty: none do.
std::string differing_digests(const Design&, const std::vector<Run>&);

/// Seconds of a case by round, from 1 on; NaN: it failed there, or was not measured.
std::vector<double> seconds_of(const Design&, const std::vector<Run>&, int which);

} // namespace qcd::experiment
