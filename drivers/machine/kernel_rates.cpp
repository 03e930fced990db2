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

BusySeconds busy_seconds(const std::vector<WorkDone>& work, const std::vector<KernelRate>& of_cores,
                         const WorkerCounts& workers)
{
    BusySeconds busy;
    if (workers.only_cores()) {
        for (const KernelRate& k : of_cores) busy.cores += 1e-6 * k.mean_us * double(k.count);
        return busy;
    }
    for (std::size_t worker = 0; worker < work.size(); ++worker)
        (starpu_worker_get_type(int(worker)) == STARPU_CPU_WORKER ? busy.cores : busy.devices) +=
            work[worker].seconds;
    return busy;
}

} // namespace qcd
