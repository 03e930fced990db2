#include "studies/frame/runner.hpp"

#include "base/error.hpp"
#include "program/stop.hpp"
#include "program/stopwatch.hpp"
#include "program/version.hpp"
#include "runtime/codelet.hpp"
#include "runtime/events.hpp"
#include "runtime/evictions.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/schedule.hpp"
#include "runtime/transfers.hpp"
#include "traces/profile.hpp"
#include "traces/recording.hpp"
#include "traces/trace_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>

namespace qcd::studies
{

namespace
{

/// What --trace records of one graph.
class Recorder
{
public:
    Recorder(Graph& graph, const Session& session)
        : session_(session), first_(graph.operations()), record_(graph)
    {
        session.work(); // from now on
        events_.emplace(graph, Events::Keep::all);
    }
    Trace take()
    {
        const double began = events_->began();
        std::vector<Event> events = events_->take();
        events_.reset();
        return make_trace(
            events,
            {transfers_.take(), evictions_.take(), session_.work(), &record_.tasks(), first_},
            began);
    }

private:
    const Session& session_;
    Profiling profiling_;
    Transfers transfers_;
    Evictions evictions_;
    long first_; // operation
    GraphRecord record_;
    std::optional<Events> events_;
};

void add(StudyReport& r, const Result& result)
{
    r.seconds.push_back(result.seconds);
    r.quantities.resize(std::max(r.quantities.size(), result.quantities.size()));
    for (std::size_t q = 0; q < result.quantities.size(); ++q) {
        r.quantities[q].of = result.quantities[q];
        r.quantities[q].values.push_back(result.quantities[q].value);
    }
    if (!r.digest.empty() && r.digest != result.digest && r.fault.empty())
        r.fault = fmt::format("two runs have different bits: {} and {}", r.digest, result.digest);
    r.digest = result.digest;
    r.one_digest = result.one_digest;
    if (r.fault.empty()) r.fault = result.fault;
    r.ended = r.ended && result.ended;
}

void write_trace(const StudyCall& c, const StudyReport& r, TraceFolder& folder, Trace trace)
{
    trace.about = {
        {"command", fmt::format("{} {}", program_name, fmt::join(c.frame.call.arguments, " "))},
        {"program", version_line(program_name)},
        {"cpu", probe_machine().cpu_model},
        {"problem", r.problem},
        {"plan", to_string(r.plan.kind)}};
    const Profile profile = make_profile(trace);
    folder.write(trace, profile);
    if (!c.frame.quiet) print_text(std::cout, profile);
}

/// What is no number is null when it is written.
Json json_of(const Measured& m)
{
    const experiment::Summary& s = m.summary;
    const auto if_any = [&](double x) { return s.n > 0 ? Json(x) : Json(); };
    return {{"key", m.of.key},
            {"unit", m.of.unit},
            {"better", m.of.better == Better::lower ? "lower" : "higher"},
            {"meaning", m.of.meaning},
            {"runs", s.n},
            {"mean", if_any(s.mean)},
            {"median", if_any(s.median)},
            {"best", if_any(s.best(m.of.better))},
            {"deviation", s.deviation ? Json(*s.deviation) : Json()},
            {"interval", s.interval ? Json{s.interval->low, s.interval->high} : Json()},
            {"values", m.values}};
}

} // namespace

Result run_once(StudyCall& c)
{
    const Session session(session_options(c.frame));
    const Plan plan = plan_of(c.frame, session);
    c.study->prepare(session);
    Graph graph(plan);
    return c.study->run({graph, session});
}

StudyReport run_study(StudyCall& c)
{
    const FrameOptions& o = c.frame;
    std::optional<TraceFolder> folder;
    if (!o.trace.empty()) folder.emplace(o.trace);
    StudyReport r;
    r.load_average = load_average();
    std::optional<Trace> trace;
    {
        const Session session(session_options(o));
        r.plan = plan_of(o, session);
        c.study->prepare(session);
        r.study = c.kind->name;
        r.problem = c.study->problem();
        r.workers = session.workers();
        r.scheduler = has_scheduler(o.plan) ? session.scheduler() : "none";
        Stopwatch clock;
        double seconds = 0;
        for (int i = o.repeat > 1 ? -1 : 0; i < o.repeat && !r.interrupted; ++i) {
            seconds += clock.lap();
            if (i > 0 && o.within > 0 && seconds > o.within) break;
            Graph graph(r.plan);
            std::optional<Recorder> recorder;
            if (folder && i + 1 == o.repeat) recorder.emplace(graph, session);
            const Result result = c.study->run({graph, session});
            r.interrupted = stop_requested;
            if (i < 0 || (r.interrupted && !result.ended)) continue;
            add(r, result);
            r.tasks = graph.tasks();
            if (recorder) trace = recorder->take();
        }
    }
    r.about = c.study->to_json();
    for (Measured& m : r.quantities) m.summary = experiment::summarise(m.values, confidence);
    if (trace) write_trace(c, r, *folder, std::move(*trace));
    return r;
}

int status_of(const StudyReport& r)
{
    if (!r.fault.empty()) return exit_verify_failed;
    return r.ended && !r.interrupted ? exit_converged : exit_not_converged;
}

void print_text(std::ostream& out, const StudyReport& r)
{
    out << fmt::format("{}\nstudy     {}: {}\nplan      {}, scheduler {}, workers {}; {} a run\n",
                       version_line(program_name), r.study, r.problem, to_string(r.plan.kind),
                       r.scheduler, to_string(r.workers), counted(r.tasks, "task"));
    if (r.plan.schedules)
        for (const std::string& line : in_words(*r.plan.schedules))
            out << "          " << line << '\n';
    out << fmt::format("runs      {}, load average {:.2f} before them\n", r.seconds.size(),
                       r.load_average);
    if (r.seconds.size() > 1)
        out << fmt::format("          mean, and half of its {:.0f}% interval by Student's t; "
                           "median, best\n",
                           100 * confidence);
    for (const Measured& m : r.quantities) {
        if (m.summary.n == 0) continue;
        const experiment::Summary& s = m.summary;
        out << fmt::format("  {:<14}{:>12.6g}", m.of.key, s.mean);
        if (s.interval)
            out << fmt::format(" +- {:<10.3g} {:>12.6g} {:>12.6g}",
                               (s.interval->high - s.interval->low) / 2, s.median,
                               s.best(m.of.better));
        out << fmt::format(" {:<6} {}\n", m.of.unit == "1" ? "" : m.of.unit, m.of.meaning);
    }
    if (!r.digest.empty())
        out << fmt::format("digest    {}{}\n", r.digest,
                           r.one_digest ? "" : " (of this version on these workers)");
    out << (r.fault.empty() ? r.interrupted ? "interrupted\n"
                              : r.ended     ? "verified\n"
                                            : "a limit came before the end\n"
                            : "WRONG: " + r.fault + "\n");
}

Json to_json(const StudyReport& r)
{
    Json quantities = Json::array();
    for (const Measured& m : r.quantities) quantities.push_back(json_of(m));
    return {{"study", r.study},
            {"problem", r.about},
            {"plan", to_string(r.plan.kind)},
            {"scheduler", r.scheduler},
            {"workers",
             {{"cpu", r.workers.cpu},
              {"cuda", r.workers.cuda},
              {"opencl", r.workers.opencl},
              {"cores_per_cpu_worker", r.workers.cores_per_cpu}}},
            {"tasks", r.tasks},
            {"load_average", r.load_average},
            {"seconds", r.seconds},
            {"confidence", confidence},
            {"quantities", quantities},
            {"digest", r.digest.empty() ? Json() : Json(r.digest)},
            {"one_digest", r.one_digest},
            {"fault", r.fault.empty() ? Json() : Json(r.fault)},
            {"ended", r.ended},
            {"interrupted", r.interrupted}};
}

} // namespace qcd::studies
