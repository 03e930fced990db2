#pragma once

#include "drivers/spec/commands.hpp"
#include "drivers/stop.hpp"
#include "lattice/error.hpp"

#include <string>

namespace qcd
{

class Ranks;

// The subcommands. Each returns the exit status and throws Error.
int run_solve(const SolveSpec&, Ranks&);
int run_propagator(const PropagatorSpec&, Ranks&);
int run_apply(ApplySpec, Ranks&);
int run_bench(const BenchSpec&, Ranks&);
int run_compare(const CompareSpec&, Ranks&);
int run_ladder(LadderSpec, Ranks&);
int run_trace(const TraceSpec&);
int run_simulate(const SimulateSpec&);
int run_calibrate(const CalibrateSpec&);
int run_info(const InfoSpec&);
int run_convert(const ConvertSpec&);
int run_check(const CheckSpec&);

/// One line on stderr.
void complain(const std::string& problem);

/// "note: ..." on stderr; nothing if it is empty.
void note(const std::string& what, const OutputSpec&);

/// Ended by a signal where there is no result to end with.
struct Interrupted : Error {
    explicit Interrupted(const std::string& line) : Error(line, exit_not_converged) {}
};
/// Is there an i-th of so many solves? The first one always: stopped before it began, it still has
/// an x.
inline bool goes_on(int i, int repeat) { return i == 0 || (i < repeat && !stop_requested); }

/// Throws it once a stop is requested.
void stop_if_asked(const char* line);

} // namespace qcd
