#include "drivers/bench_timing.hpp"

#include "drivers/commands.hpp"
#include "drivers/plain_loop.hpp"
#include "drivers/stopwatch.hpp"

#include <algorithm>

namespace qcd
{

namespace
{

/// Seconds of one call: the median over repetitions, each of as many calls as fill 30 ms.
/// run(n): makes n calls and waits for them.
template <class Run>
double time_of_call(const Run& run, int repeat)
{
    constexpr double shortest = 0.03;
    const auto seconds_of = [&](int calls) {
        stop_if_asked("bench: interrupted");
        Stopwatch clock;
        run(calls);
        return clock.lap();
    };
    seconds_of(1);
    int calls = 1;
    for (double s = seconds_of(1); s < shortest && calls < 100000; s = seconds_of(calls))
        calls = int(std::clamp(1.2 * shortest / s, 2.0, 10.0) * calls);
    std::vector<double> seconds;
    for (int i = 0; i < repeat; ++i) seconds.push_back(seconds_of(calls) / calls);
    return median(seconds);
}

} // namespace

double time_of_tasks(const BenchOperation& op, const BenchFields& fields, bool batches, int repeat)
{
    constexpr int calls_a_batch = 32;
    TaskBatch batch(batches);
    const auto run = [&](int calls) {
        for (int i = 0; i < calls; ++i) {
            op.submit(fields);
            if (i % calls_a_batch == calls_a_batch - 1) batch.flush();
        }
        batch.flush();
        wait_for_all();
    };
    return time_of_call(run, repeat);
}

double time_of_loops(const BenchOperation& op, const BenchFields& fields, int threads,
                     double seconds, int repeat)
{
    // A loop starts its threads once.
    const int calls_a_loop = int(std::clamp(2e-3 / seconds, 1.0, 32.0));
    const auto record = [&] {
        TaskRecorder recorder;
        for (int i = 0; i < calls_a_loop; ++i) op.submit(fields);
        return PlainLoop(recorder.take(), PlainLoop::Isa::chosen, PlainLoop::Coefficients::shared);
    };
    const PlainLoop loop = record();
    const PausedWorkers paused;
    const auto run = [&](int loops) {
        for (int i = 0; i < loops; ++i) loop.run(threads);
    };
    return time_of_call(run, repeat) / calls_a_loop;
}

} // namespace qcd
