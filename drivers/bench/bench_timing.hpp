#pragma once
// Seconds of one call of an operation: the median over repetitions, each of as many calls as fill
// 30 ms. A stop that is asked for interrupts between them.

#include "drivers/bench/bench_operations.hpp"
#include "drivers/bench/bench_session.hpp"
#include "program/stop.hpp"

#include <optional>

namespace qcd
{

/// Throws Interrupted on all ranks where one of them is to stop.
void stop_all_if_asked(Ranks&);

/// Times calls as tasks. Where the plan collects operations up to 1024 calls go to StarPU as one
/// task: what tasks cost is `runtime_overhead`'s to show (bench_solves.hpp).
double time_of_tasks(const BenchOperation&, const BenchFields&, int repeat);

/// Times the same kernels and tiles in plain loops of so many threads. seconds: what a call takes
/// roughly. The plan of the fields must not collect operations.
double time_of_loops(const BenchOperation&, const BenchFields&, int threads, double seconds,
                     int repeat);

/// GB/s of y <- x + 0 y in double, 24 bytes counted a real (two read, one written), on all devices
/// of the session, and of all ranks, together: their yardstick, as memory_bandwidth.hpp's is the
/// host's. x and y have 512 MiB each, or as many as QCD_BANDWIDTH_MIB says; at most an eighth of
/// the devices' memory, and of the host's that is free. Nothing is returned where the devices
/// cannot hold such vectors.
std::optional<double> triad_of_devices(const BenchSession&);

} // namespace qcd
