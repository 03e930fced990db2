#pragma once

#include "drivers/options.hpp"

#include <atomic>

namespace qcd
{

// The subcommands. Each returns the exit status and throws Error.
int run_solve(const cli::SolveOptions&);
int run_apply(const cli::ApplyOptions&);
int run_bench(const cli::BenchOptions&);
int run_info(const cli::InfoOptions&);

/// Set by SIGINT and SIGTERM: end with what there is.
extern std::atomic<bool> stop_requested;
/// Makes them do so. Again after StarPU has started: it and FxT put handlers of their own.
void catch_signals();

} // namespace qcd
