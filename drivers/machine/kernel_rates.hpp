#pragma once
// How fast kernels were, of the times of their calls.

#include "runtime/events.hpp"
#include "runtime/worker_counts.hpp"

#include <string>
#include <vector>

namespace qcd
{

/// Speed of one operation on one kind of worker, from the arithmetic and bytes of its contract and
/// the time of its calls.
struct KernelRate {
    std::string name;
    std::string worker; ///< "CPU", "CUDA" or "OpenCL"
    long count = 0;     ///< calls that were timed
    double mean_us = 0;
    double gflops = 0, gb_per_s = 0; ///< of all workers of the kind together
    double percent_of_triad = 0;     ///< on the same workers; 0: not measured
};

/// Rates of all workers of a kind together, as if each kept the pace of its own calls; what took
/// most time first.
std::vector<KernelRate> rates_of(std::vector<KernelTime>, const WorkerCounts&);

} // namespace qcd
