#pragma once
// `bench` times whole solves: even-odd Conjugate Residual on weak:0.2 with mass -0.15.

#include "drivers/bench/bench_report.hpp"
#include "drivers/bench/bench_session.hpp"
#include "drivers/spec/commands.hpp"

namespace qcd
{

/// Compares StarPU with plain loops over the same kernels. The session has CPU workers only. Throws
/// Error (verification) when the two disagree in a bit.
SolveRow measure_overhead(const BenchSession&, const Extents& lattice, Precision, int repeat);

/// Compares the three engines, which solve to 1e-10 in double. Throws Error (verification) when one
/// does not converge, or its true residual is far off.
SolveRow measure_engines(const BenchSession&, const Extents& lattice, int repeat);

} // namespace qcd
