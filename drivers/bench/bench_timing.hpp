#pragma once
// Seconds of one call of an operation: the median over repetitions, each of as many calls as fill
// 30 ms. Interrupted between them when a stop is asked for.

#include "drivers/bench/bench_operations.hpp"
#include "drivers/bench/bench_session.hpp"
#include "program/stop.hpp"

#include <optional>

namespace qcd
{

/// Throws Interrupted on all ranks where one of them is to stop.
void stop_all_if_asked(Ranks&);

/// As tasks. Where the plan collects operations up to 1024 calls go to StarPU as one task: what
/// tasks cost is `runtime_overhead`'s to show (bench_solves.hpp).
double time_of_tasks(const BenchOperation&, const BenchFields&, int repeat);

/// The same kernels and tiles in plain loops of so many threads. seconds: of a call, roughly.
/// The fields are of a plan that does not collect.
double time_of_loops(const BenchOperation&, const BenchFields&, int threads, double seconds,
                     int repeat);

/// GB/s of y <- x + 0 y in double, 24 bytes counted a real (two read, one written), on all devices
/// of the session, and of all ranks, together: their yardstick, as memory_bandwidth.hpp's is the
/// host's. x and y have 512 MiB each, or as many as QCD_BANDWIDTH_MIB says; at most an eighth of
/// the devices' memory, and of the host's that is free. None where the devices hold no such
/// vectors.
std::optional<double> triad_of_devices(const BenchSession&);

} // namespace qcd
