#include "drivers/machine/peak_arithmetic.hpp"

#include "codelets/fma_chains/fma_chains.hpp"
#include "drivers/machine/kernel_rates.hpp"
#include "runtime/session.hpp"
#include "tasks/field.hpp"

#include <algorithm>

namespace qcd
{

namespace
{

constexpr double shortest = 0.02; // seconds of a call: beside them, what is loaded is little

/// Sites of a worker's tile: that every core of a team has some, and every lane of a GPU.
Extents tile_of(const std::string& kind)
{
    return kind == "CPU" ? Extents{16, 16, 8, 8} : Extents{32, 32, 32, 8};
}

/// A call on each worker of a kind.
KernelRate rate_of_call(Events& events, const SpinorField& x, int steps, const WorkerCounts& w)
{
    LatticeGraph& graph = x.graph();
    graph.sweep([&](int tile) {
        graph.submit(fma_chains_codelet(x.precision()),
                     fma_chains_args{graph.tiling().shape(tile).blocks, steps, -0.5, 1},
                     {x.at(0, tile)});
    });
    const std::vector<KernelRate> rates = rates_of(events.times(), w);
    return rates.empty() ? KernelRate{} : rates.front();
}

double peak_of(LatticeGraph& graph, Precision precision, const WorkerCounts& w)
{
    SpinorField x(graph, precision, Sites::even);
    x.clear();
    graph.wait();
    Events events(graph);
    const auto call = [&](int steps) { return rate_of_call(events, x, steps, w); };
    constexpr int first = 2, most = 1 << 20, growth = 32, calls = 5;
    int steps = first;
    call(steps); // memory, and kernels, of the first call
    for (double seconds = 0; steps < most;) {
        seconds = 1e-6 * call(steps).mean_us;
        if (seconds >= shortest || seconds <= 0) break;
        steps = int(steps * std::clamp(1.2 * shortest / seconds, 2.0, double(growth)));
    }
    double fastest = 0;
    for (int i = 0; i < calls; ++i) fastest = std::max(fastest, call(steps).gflops);
    return fastest;
}

} // namespace

std::vector<PeakArithmetic> measure_peak(const Session& session)
{
    const WorkerCounts w = session.workers();
    const std::pair<const char*, starpu_worker_archtype> kinds[] = {
        {"CPU", STARPU_CPU_WORKER}, {"CUDA", STARPU_CUDA_WORKER}, {"OpenCL", STARPU_OPENCL_WORKER}};
    std::vector<PeakArithmetic> peaks;
    for (const auto& [name, type] : kinds) {
        const std::vector<int> owners = session.worker_ids(type);
        Extents lattice = tile_of(name);
        const std::size_t bytes = std::size_t(volume(lattice)) / 2 * 24 * sizeof(double);
        const bool device = type != STARPU_CPU_WORKER;
        if (owners.empty() || (device && session.device_bytes() < 4 * bytes)) continue;
        lattice[3] *= int(owners.size());
        Plan plan{.kind = PlanKind::pinned,
                  .owners = owners,
                  .cores_per_worker = device ? 1 : w.cores_per_cpu};
        LatticeGraph graph(Tiling(lattice, Extents{1, 1, 1, int(owners.size())}), plan);
        peaks.push_back({name, int(owners.size()), plan.cores_per_worker,
                         peak_of(graph, Precision::f64, w), peak_of(graph, Precision::f32, w)});
    }
    return peaks;
}

} // namespace qcd
