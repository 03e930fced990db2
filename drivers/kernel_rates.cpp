#include "drivers/kernel_rates.hpp"

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

double compare_with_triad(std::vector<KernelRate>& kernels, DiracSolve& problem,
                          const WorkerCounts& workers)
{
    constexpr int calls = 5;
    problem.update_vectors(1); // finds the data where the next ones need them
    Events events(problem.graph());
    problem.update_vectors(calls);
    double all = 0;
    for (const KernelRate& triad : rates_of(events.times(), workers)) {
        if (!triad.name.starts_with("xpay")) continue;
        all += triad.gb_per_s;
        for (KernelRate& k : kernels)
            if (k.worker == triad.worker) k.percent_of_triad = 100 * k.gb_per_s / triad.gb_per_s;
    }
    return all;
}

} // namespace qcd
