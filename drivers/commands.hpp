#pragma once

#include "drivers/cli/options.hpp"
#include "drivers/stop.hpp"
#include "lattice/error.hpp"

#include <string>

namespace qcd
{

// The subcommands. Each returns the exit status and throws Error.
int run_solve(cli::SolveOptions);
int run_propagator(cli::PropagatorOptions);
int run_apply(cli::ApplyOptions);
int run_bench(const cli::BenchOptions&);
int run_compare(const cli::CompareOptions&);
int run_trace(const cli::TraceOptions&);
int run_ladder(cli::LadderOptions);
int run_simulate(const cli::SimulateOptions&);
int run_calibrate(cli::CalibrateOptions);
int run_info(const cli::InfoOptions&);
int run_convert(const cli::ConvertOptions&);
int run_check(const cli::CheckOptions&);

/// One line on stderr.
void complain(const std::string& problem);

/// "note: ..." on stderr; nothing if it is empty.
void note(const std::string& what, const cli::OutputOptions&);

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
