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

} // namespace

std::string GrainSeries::label() const { return to_string(workers) + ", " + scheduler; }

GrainMeasurement::GrainMeasurement(const BenchSpec& o, GrainWorkload w,
                                   const std::vector<WorkerCounts>& configurations)
    : o_(o), workload_(std::move(w)), report_{.workload = workload_.name,
                                              .what = workload_.what,
                                              .steps = workload_.steps,
                                              .extents = workload_.extents,
                                              .rounds = o.repeat(),
                                              .series = series_of(o, workload_, configurations)}
{
    make_design();
    if (folder().empty()) return;
    experiment::claim_folder(folder(), design_);
    file_.emplace(folder() + "/runs.csv", design_);
}

std::string GrainMeasurement::folder() const
{
    return o_.folder().empty() ? "" : o_.folder() + "/" + workload_.name;
}

void GrainMeasurement::make_design()
{
    for (std::size_t i = 0; i < report_.series.size(); ++i)
        for (std::size_t k = 0; k < report_.series[i].tilings.size(); ++k) {
            const GrainSeries& s = report_.series[i];
            const std::string tiles = joined_by_x(s.tilings[k].parts);
            cases_.push_back({i, k});
            design_.cases.push_back(
                {fmt::format("{}, {}", s.label(), tiles),
                 {{"workers", to_string(s.workers)}, {"sched", s.scheduler}, {"tiles", tiles}}});
        }
    design_.quantities = {"work_seconds", "tasks"};
    design_.rounds = report_.rounds;
    design_.warm_up = false; // each run has its own
    design_.seed = std::uint64_t(o_.seed());
    const MachineFacts machine = probe_machine();
    design_.common = {
        {"program", version_line()},  {"cpu", machine.cpu_model},
        {"cores", machine.cores},     {"workload", report_.workload},
        {"what", report_.what},       {"steps", report_.steps},
        {"extents", report_.extents}, {"gpu_memory", o_.run.execution.gpu_memory().value_or(0)}};
}

std::optional<Outcome> GrainMeasurement::run_case(const Case& c, bool calibrate, Ranks& ranks) const
{
    const GrainSeries& s = report_.series[c.series];
    const std::vector<int>& parts = s.tilings[c.tiling].parts;
    ExecutionSpec execution = o_.run.execution;
    execution.sched = s.scheduler;
    execution.plan = PlanChoice{PlanKind::graph};
    execution.calibrate = calibrate;
    if (workload_.on_lattice) {
        Extents tiles{};
        std::copy(parts.begin(), parts.end(), tiles.begin());
        execution.tiles = tiles;
    }
    try {
        const BenchSession session(execution, s.workers, o_.run.output.verbose(), ranks);
        const auto job = workload_.make(session, parts);
        const TaskRun r = run_job(*job, s.workers);
        if (stop_requested) return std::nullopt;
        return Outcome{r.seconds, {r.work, r.tasks}, job->digest(), ""};
    } catch (const Error& e) {
        if (stop_requested) return std::nullopt;
        return Outcome{0, {}, "", e.what()};
    }
}

/// Measures models before the rounds, so that all rounds ask the same ones, as in compare. A case
/// that fails here fails in its round, too, which tells of it.
void GrainMeasurement::measure_models(Ranks& ranks) const
{
    const ProgressLine line(o_.run.output.quiet());
    for (const Case& c : cases_) {
        const GrainSeries& s = report_.series[c.series];
        if (!asks_models(s.scheduler) || stop_requested) continue;
        line.show(
            fmt::format("calibration  {}, {}", s.label(), joined_by_x(s.tilings[c.tiling].parts)));
        run_case(c, true, ranks);
    }
}

/// What the runs say of each tiling and series.
void GrainMeasurement::fill(const std::vector<experiment::Run>& runs)
{
    GrainReport& r = report_;
    std::vector<std::vector<std::vector<TaskRun>>> rounds(r.series.size()); // by series and round
    for (auto& of_series : rounds) of_series.resize(std::size_t(r.rounds));
    for (std::size_t which = 0; which < cases_.size(); ++which) {
        const auto [series, tiling] = cases_[which];
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

GrainReport GrainMeasurement::run(Ranks& ranks)
{
    report_.load_average = load_average();
    const std::vector<experiment::Run> none;
    if (runs_to_go(design_, file_ ? file_->runs() : none) > 0) measure_models(ranks);
    const bool quiet = o_.run.output.quiet();
    const auto runs = run_rounds_shown(
        design_, quiet, file_ ? &*file_ : nullptr,
        [&](int which) { return run_case(cases_[std::size_t(which)], false, ranks); },
        [&](const std::string& what) { note(fmt::format("{}: {}", workload_.name, what), quiet); });
    if (const std::string differing = differing_digests(design_, runs); !differing.empty())
        throw Error(fmt::format("bench: {}: different bits: {}", workload_.name, differing),
                    exit_verify_failed);
    report_.complete = complete(design_, runs);
    fill(runs);
    return report_;
}

} // namespace qcd
