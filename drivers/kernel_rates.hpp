#pragma once
// How fast the kernels of a solve were, next to the bandwidth of a vector update.

#include "drivers/run_report.hpp"
#include "runtime/events.hpp"
#include "runtime/session.hpp"
#include "solver/dirac_solve.hpp"

namespace qcd
{

/// Of all workers of a kind together, as if each kept the pace of its own calls; what took most
/// time first.
std::vector<KernelRate> rates_of(std::vector<KernelTime>, const WorkerCounts&);

/// GB/s of y <- x + beta y on all workers; 0 for b = 0. Overwrites the solver's vectors. Compares
/// each of the kernels with it, on the kernel's kind of worker.
double compare_with_triad(std::vector<KernelRate>& kernels, DiracSolve&, const WorkerCounts&);

} // namespace qcd
