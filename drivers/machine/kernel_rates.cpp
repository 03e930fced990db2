#include "drivers/machine/kernel_rates.hpp"

#include <algorithm>

namespace qcd
{

namespace
{

int workers_of(const std::string& kind, const WorkerCounts& w)
{
    return kind == "CUDA" ? w.cuda : kind == "OpenCL" ? w.opencl : w.cpu;
}

KernelRate rate_of(const KernelTime& t, const WorkerCounts& w)
{
    const double giga_per_second = 1e-9 * workers_of(t.worker, w) / t.seconds;
    return {.name = t.name,
            .worker = t.worker,
            .count = t.count,
            .mean_us = 1e6 * t.seconds / double(t.count),
            .gflops = t.work.flops * giga_per_second,
            .gb_per_s = t.work.bytes * giga_per_second};
}

} // namespace

std::vector<KernelRate> rates_of(std::vector<KernelTime> times, const WorkerCounts& workers)
{
    std::sort(times.begin(), times.end(),
              [](const KernelTime& a, const KernelTime& b) { return a.seconds > b.seconds; });
    std::vector<KernelRate> rates;
    for (const KernelTime& t : times)
        if (t.seconds > 0) rates.push_back(rate_of(t, workers));
    return rates;
}

} // namespace qcd
