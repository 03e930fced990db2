#include "drivers/bench/bench_timing.hpp"

#include "drivers/bench/plain_loop.hpp"
#include "drivers/machine/memory_bandwidth.hpp"
#include "drivers/plan/default_tiles.hpp"
#include "drivers/spec/commands.hpp"
#include "program/stop.hpp"
#include "program/stopwatch.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/ranks.hpp"
#include "tasks/host_access.hpp"

#include <algorithm>
#include <numeric>

namespace qcd
{

namespace
{

/// Seconds of one call: the median over repetitions, each of as many calls as fill 30 ms. run(n)
/// makes n calls and waits for them. The slowest rank counts, so that all make as many calls.
template <class Run>
double time_of_call(Ranks& ranks, const Run& run, int repeat)
{
    constexpr double shortest = 0.03;
    const auto seconds_of = [&](int calls) {
        stop_all_if_asked(ranks);
        Stopwatch clock;
        run(calls);
        const std::vector<double> seconds = ranks.all(clock.lap());
        return *std::max_element(seconds.begin(), seconds.end());
    };
    seconds_of(1);
    int calls = 1;
    for (double s = seconds_of(1); s < shortest && calls < 100000; s = seconds_of(calls))
        calls = int(std::clamp(1.2 * shortest / s, 2.0, 10.0) * calls);
    std::vector<double> seconds;
    for (int i = 0; i < repeat; ++i) seconds.push_back(seconds_of(calls) / calls);
    return median(seconds);
}

/// Seconds of a call, where this is what submit() submits to the graph.
template <class Submit>
double time_of_submitted(Ranks& ranks, LatticeGraph& graph, const Submit& submit, int repeat)
{
    // A device waits while the first task is collected, 0.4 us a call, and where each begins it
    // loses up to 35 us (H200). While one runs, even of small kernels, the next is collected.
    constexpr int first_batch = 16, growth = 8, largest_batch = 1024;
    Graph::Batch batch(graph);
    const auto run = [&](int calls) {
        int size = first_batch;
        for (int i = 0, collected = 0; i < calls; ++i) {
            submit();
            if (++collected < size) continue;
            batch.flush();
            collected = 0;
            size = std::min(growth * size, largest_batch);
        }
        graph.wait();
    };
    return time_of_call(ranks, run, repeat);
}

} // namespace

void stop_all_if_asked(Ranks& ranks)
{
    if (ranks.any(stop_requested)) throw Interrupted("bench: interrupted");
}

double time_of_tasks(const BenchOperation& op, const BenchFields& fields, int repeat)
{
    return time_of_submitted(
        fields.graph.ranks(), fields.graph, [&] { op.submit(fields); }, repeat);
}

std::optional<double> triad_of_devices(const BenchSession& session)
{
    constexpr int repeat = 5;
    constexpr long default_bytes = 512L << 20;
    constexpr long slice_bytes = 32L * 32 * 32 / 2 * QCD_SPINOR_ROWS * long(sizeof(double));
    Ranks& ranks = session.session().ranks();
    const Workers& workers = session.workers();
    const int devices = workers.counts.devices();
    long bytes = asked_array_bytes().value_or(default_bytes); // of each vector
    for (const long memory :
         {probe_machine().available_bytes, devices * long(workers.device_bytes)})
        if (memory > 0) bytes = std::min(bytes, memory / 8);
    const int slices = int(std::clamp(bytes / slice_bytes, 2L * devices, 4096L)) / 2 * 2;
    if (ranks.any(2 * slice_bytes * slices / devices > long(workers.device_bytes))) return {};
    const Extents lattice{32, 32, 32, slices};
    Plan plan{.owners = workers.all()};
    plan.kind = devices == 1 ? PlanKind::batch : PlanKind::pinned;
    LatticeGraph graph(Tiling(lattice, slabs_for_devices(lattice, devices)), plan);
    const auto numbers = open_spinor_source("det:1", lattice);
    SpinorField x(graph, Precision::f64, Sites::even), y(graph, Precision::f64, Sites::even);
    x.fill(*numbers);
    y.fill(*numbers);
    const double seconds = time_of_submitted(
        ranks, graph, [&] { xpay(0, x, y); }, repeat); // y stays bounded
    const std::vector<double> bytes_of_all = ranks.all(3.0 * double(slice_bytes) * slices);
    return 1e-9 * std::accumulate(bytes_of_all.begin(), bytes_of_all.end(), 0.0) / seconds;
}

double time_of_loops(const BenchOperation& op, const BenchFields& fields, int threads,
                     double seconds, int repeat)
{
    // The threads of a loop are started once for several calls.
    const int calls_a_loop = int(std::clamp(2e-3 / seconds, 1.0, 32.0));
    const auto record = [&] {
        TaskRecorder recorder(fields.graph);
        for (int i = 0; i < calls_a_loop; ++i) op.submit(fields);
        return PlainLoop(recorder.take(), PlainLoop::Isa::chosen);
    };
    const PlainLoop loop = record();
    const PausedWorkers paused;
    const auto run = [&](int loops) {
        for (int i = 0; i < loops; ++i) loop.run(threads);
    };
    return time_of_call(fields.graph.ranks(), run, repeat) / calls_a_loop;
}

} // namespace qcd
