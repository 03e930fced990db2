#pragma once
// Seconds of one call of an operation: the median over repetitions, each of as many calls as fill
// 30 ms. Interrupted between them when a stop is asked for.

#include "drivers/bench_operations.hpp"

namespace qcd
{

/// As tasks. batches: one worker has the lattice, and calls go to StarPU in batches, as in a solve.
double time_of_tasks(const BenchOperation&, const BenchFields&, bool batches, int repeat);

/// The same kernels and tiles in plain loops of so many threads. seconds: of a call, roughly.
double time_of_loops(const BenchOperation&, const BenchFields&, int threads, double seconds,
                     int repeat);

} // namespace qcd
