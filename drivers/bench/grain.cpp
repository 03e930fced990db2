#include "drivers/bench/grain.hpp"

#include "base/error.hpp"
#include "drivers/bench/grain_tilings.hpp"
#include "program/complain.hpp"
#include "program/progress_line.hpp"
#include "program/stop.hpp"
#include "program/stopwatch.hpp"
#include "runtime/events.hpp"
#include "runtime/machine_probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace qcd
{

namespace
{

using experiment::Outcome;
using experiment::TaskRun;

const std::vector<std::string> quantities{"work_seconds", "tasks"};

/// One tiling by one scheduler on one set of workers.
struct GrainCase {
    std::size_t series, tiling; ///< places in the report
};

double seconds_in(const std::vector<KernelTime>& times)
{
    return std::accumulate(times.begin(), times.end(), 0.0,
                           [](double sum, const KernelTime& t) { return sum + t.seconds; });
}

/// On CUDA devices looks at the clock keep kernels from overlapping: there the time of kernels is
/// that of a further run. On OpenCL devices a look waits for the queue, and a kernel's time has its
/// launch in it: kernels and all are of one run, whose parts add up.
TaskRun run_job(GrainJob& job, const WorkerCounts& workers)
{
    TaskRun r{.workers = workers.all()};
    enum Look { none, at_kernels };
    const auto run = [&](Look look) {
        job.prepare();
        std::optional<Events> events;
        if (look == at_kernels) events.emplace(job.graph());
        const long before = job.graph().tasks();
        Stopwatch clock;
        job.run();
        const double seconds = clock.lap();
        r.tasks = double(job.graph().tasks() - before);
        if (events) r.work = seconds_in(events->times());
        return seconds;
    };
    run(none); // data are allocated, kernels launched and models asked for the first time
    if (workers.cuda > 0) {
        r.seconds = run(none);
        run(at_kernels);
    } else {
        r.seconds = run(at_kernels);
    }
    return r;
}

/// Nothing: it was stopped.
std::optional<Outcome> run_case(const BenchSpec& o, const GrainWorkload& w, const GrainSeries& s,
                                const std::vector<int>& parts, Ranks& ranks)
{
    ExecutionSpec execution = o.run.execution;
    execution.sched = s.scheduler;
    execution.plan = PlanChoice{PlanKind::graph};
    if (w.on_lattice) {
        Extents tiles{};
        std::copy(parts.begin(), parts.end(), tiles.begin());
        execution.tiles = tiles;
    }
    try {
        const BenchSession session(execution, s.workers, o.run.output.verbose(), ranks);
        const auto job = w.make(session, parts);
        const TaskRun r = run_job(*job, s.workers);
        if (stop_requested) return std::nullopt;
        return Outcome{r.seconds, {r.work, r.tasks}, job->digest(), ""};
    } catch (const Error& e) {
        if (stop_requested) return std::nullopt;
        return Outcome{0, {}, "", e.what()};
    }
}

std::vector<GrainSeries> series_of(const BenchSpec& o, const GrainWorkload& w,
                                   const std::vector<WorkerCounts>& configurations)
{
    std::vector<GrainSeries> all;
    for (const WorkerCounts& workers : configurations) {
        if (!w.on_devices && !workers.only_cores()) continue;
        const auto tilings = grain_tilings(w.extents, w.thinnest, workers.all(), w.work);
        if (tilings.empty())
            throw Error("--grain: {} cannot be cut into a tile for each of {} workers",
                        joined_by_x(w.extents), workers.all());
        for (const std::string& scheduler : o.schedulers()) {
            GrainSeries& s = all.emplace_back();
            s.workers = workers;
            s.scheduler = scheduler;
            for (const std::vector<int>& parts : tilings)
                s.tilings.push_back({.parts = parts, .tasks = 0, .failure = {}, .of = {}});
        }
    }
    return all;
}

experiment::Design design_of(const BenchSpec& o, const GrainReport& r,
                             std::vector<GrainCase>& cases)
{
    experiment::Design d;
    for (std::size_t i = 0; i < r.series.size(); ++i)
        for (std::size_t k = 0; k < r.series[i].tilings.size(); ++k) {
            const GrainSeries& s = r.series[i];
            const std::string tiles = joined_by_x(s.tilings[k].parts);
            cases.push_back({i, k});
            d.cases.push_back(
                {fmt::format("{}, {}", s.label(), tiles),
                 {{"workers", to_string(s.workers)}, {"sched", s.scheduler}, {"tiles", tiles}}});
        }
    d.quantities = quantities;
    d.rounds = o.repeat();
    d.warm_up = false; // each run has its own
    d.seed = std::uint64_t(o.seed());
    const MachineFacts machine = probe_machine();
    d.common = {{"program", version_line()},
                {"cpu", machine.cpu_model},
                {"cores", machine.cores},
                {"workload", r.workload},
                {"what", r.what},
                {"steps", r.steps},
                {"extents", r.extents},
                {"gpu_memory", o.run.execution.gpu_memory().value_or(0)}};
    return d;
}

/// What the runs say of each tiling and series.
void fill(GrainReport& r, const std::vector<GrainCase>& cases,
          const std::vector<experiment::Run>& runs)
{
    std::vector<std::vector<std::vector<TaskRun>>> rounds(r.series.size()); // by series and round
    for (auto& of_series : rounds) of_series.resize(std::size_t(r.rounds));
    for (std::size_t which = 0; which < cases.size(); ++which) {
        const auto [series, tiling] = cases[which];
        GrainTiling& t = r.series[series].tilings[tiling];
        std::vector<TaskRun> measured;
        for (const experiment::Run& run : runs) {
            if (run.which != int(which) || run.round < 1 || run.round > r.rounds) continue;
            if (!run.outcome.failure.empty()) {
                t.failure = run.outcome.failure;
                continue;
            }
            measured.push_back({.seconds = run.outcome.seconds,
                                .work = run.outcome.values[0],
                                .tasks = run.outcome.values[1],
                                .workers = r.series[series].workers.all()});
            t.tasks = measured.back().tasks;
            rounds[series][std::size_t(run.round - 1)].push_back(measured.back());
        }
        t.of = experiment::point_of(measured, r.confidence);
    }
    for (std::size_t i = 0; i < r.series.size(); ++i) {
        // A round that was cut off may lack the sizes that matter.
        const std::size_t sizes =
            std::size_t(std::count_if(r.series[i].tilings.begin(), r.series[i].tilings.end(),
                                      [](const GrainTiling& t) { return t.of.seconds.n > 0; }));
        std::erase_if(rounds[i],
                      [&](const std::vector<TaskRun>& round) { return round.size() < sizes; });
        r.series[i].half = experiment::half_grain(rounds[i], r.confidence);
    }
}

} // namespace

std::string GrainSeries::label() const { return to_string(workers) + ", " + scheduler; }

std::string grain_folder(const BenchSpec& o, const std::string& workload)
{
    return o.folder() + "/" + workload;
}

GrainReport measure_grain(const BenchSpec& o, const GrainWorkload& w,
                          const std::vector<WorkerCounts>& configurations, Ranks& ranks)
{
    GrainReport r{.workload = w.name,
                  .what = w.what,
                  .steps = w.steps,
                  .extents = w.extents,
                  .rounds = o.repeat(),
                  .load_average = load_average(),
                  .series = series_of(o, w, configurations)};
    std::vector<GrainCase> cases;
    const experiment::Design design = design_of(o, r, cases);
    std::optional<experiment::RunFile> file;
    if (!o.folder().empty()) {
        const std::string folder = grain_folder(o, w.name);
        experiment::claim_folder(folder, design);
        file.emplace(folder + "/runs.csv", design);
    }
    const ProgressLine line(o.run.output.quiet());
    const auto runs = run_rounds(
        design,
        {.run =
             [&](int which) {
                 const auto [series, tiling] = cases[std::size_t(which)];
                 const GrainSeries& s = r.series[series];
                 return run_case(o, w, s, s.tilings[tiling].parts, ranks);
             },
         .progress = [&](const experiment::Progress& p) { line.show(line_of(p, design)); },
         .stop = [] { return stop_requested.load(); },
         .left_out =
             [&](const std::string& what) {
                 line.show("");
                 note(fmt::format("{}: {}", w.name, what), o.run.output.quiet());
             }},
        file ? &*file : nullptr);
    if (const std::string differing = differing_digests(design, runs); !differing.empty())
        throw Error(fmt::format("bench: {}: different bits: {}", w.name, differing),
                    exit_verify_failed);
    r.complete = complete(design, runs);
    fill(r, cases, runs);
    return r;
}

} // namespace qcd
