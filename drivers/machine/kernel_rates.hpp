#pragma once
// How fast kernels were, of the times of their calls.

#include "runtime/events.hpp"
#include "runtime/session.hpp"

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

/// Seconds that the workers of a kind have computed, all of them together.
struct BusySeconds {
    double cores = 0, devices = 0;
};

/// Where there are cores alone those of all kernels, else those of tasks.
BusySeconds busy_seconds(const std::vector<WorkDone>&, const std::vector<KernelRate>& of_cores,
                         const WorkerCounts&);

} // namespace qcd
