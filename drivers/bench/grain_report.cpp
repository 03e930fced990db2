#include "drivers/bench/grain.hpp"

#include "base/text.hpp"
#include "drivers/bench/grain_tilings.hpp"
#include "drivers/machine/machine_report.hpp"
#include "experiment/chart.hpp"
#include "experiment/curves.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>
#include <utility>

namespace qcd
{

namespace
{

using experiment::CurveChart;
using experiment::HalfGrain;
using experiment::Interval;
using experiment::Summary;
using Json = nlohmann::ordered_json;

constexpr double ms = 1e3, us = 1e6;

std::string range(const std::optional<Interval>& i, double unit)
{
    return i ? fmt::format("{} - {}", figure(unit * i->low), figure(unit * i->high)) : "-";
}

/// What a measured series says about the grain of half.
std::string sentence_on(const HalfGrain& h)
{
    if (h.seconds)
        return fmt::format("half of the time is work with tasks of {} us{}",
                           figure(us * *h.seconds),
                           h.interval ? fmt::format(" ({})", range(h.interval, us)) : "");
    if (h.rounds == 0) return "no round is complete";
    if (h.below == h.rounds) return "more than half of the time is work with all of these";
    if (h.above == h.rounds) return "less than half of the time is work with all of these";
    std::string others;
    for (const auto& [rounds, what] : {std::pair{h.below, "more"}, {h.above, "less"}})
        if (rounds > 0)
            others += fmt::format("; in {} {} than half of the time is work with all of them",
                                  rounds, what);
    return fmt::format("the grain is among these sizes in {} of {} rounds{}",
                       h.rounds - h.below - h.above, h.rounds, others);
}

Json json_of(const std::optional<Interval>& i, double unit)
{
    return i ? Json{unit * i->low, unit * i->high} : Json();
}

/// Null where there is no run.
Json json_of(const Summary& s, double unit = 1)
{
    if (s.n == 0) return {};
    return {{"mean", unit * s.mean}, {"interval", json_of(s.interval, unit)}};
}

Json json_of(const GrainSeries& s)
{
    Json tilings = Json::array();
    for (const GrainTiling& t : s.tilings)
        tilings.push_back({{"tiles", t.parts},
                           {"rounds", t.of.seconds.n},
                           {"tasks", long(t.tasks)},
                           {"ms", json_of(t.of.seconds, ms)},
                           {"task_us", json_of(t.of.size, us)},
                           {"overhead_us", json_of(t.of.overhead, us)},
                           {"efficiency", json_of(t.of.efficiency)},
                           {"failure", t.failure}});
    return {{"workers", to_json(s.workers)},
            {"scheduler", s.scheduler},
            {"half",
             {{"task_us", s.half.seconds ? Json(us * *s.half.seconds) : Json()},
              {"interval", json_of(s.half.interval, us)},
              {"rounds", s.half.rounds},
              {"below", s.half.below},
              {"above", s.half.above}}},
            {"tilings", tilings}};
}

std::string title_of(const GrainReport& r)
{
    return fmt::format("{}: {} {} on {}", r.workload, r.steps, r.what, joined_by_x(r.extents));
}

/// y of each tiling against the size of its tasks.
CurveChart chart_of(const GrainReport& r, const std::string& name, const std::string& y_axis,
                    Summary experiment::GrainPoint::*y, double unit)
{
    CurveChart chart{.name = name,
                     .title = fmt::format("{}; means of {}, {:g}% intervals", title_of(r),
                                          counted(r.rounds, "round"), 100 * r.confidence),
                     .x_axis =
                         "size of a task, us: seconds in kernels over tasks, median of the rounds",
                     .y_axis = y_axis,
                     .curves = {}};
    // A colour for each scheduler, a line for each set of workers.
    std::vector<std::string> schedulers, workers;
    const auto place_in = [](std::vector<std::string>& all, const std::string& one) {
        const auto found = std::find(all.begin(), all.end(), one);
        const int place = int(found - all.begin());
        if (found == all.end()) all.push_back(one);
        return place;
    };
    for (const GrainSeries& s : r.series) {
        experiment::Curve curve{.label = s.label(),
                                .points = {},
                                .colour = place_in(schedulers, s.scheduler),
                                .line = place_in(workers, to_string(s.workers))};
        for (const GrainTiling& t : s.tilings) {
            const Summary& of = t.of.*y;
            if (of.n == 0) continue;
            std::optional<Interval> bar = of.interval;
            if (bar) *bar = {unit * bar->low, unit * bar->high};
            curve.points.push_back({us * t.of.size.median, unit * of.mean, bar});
        }
        std::reverse(curve.points.begin(), curve.points.end());
        if (!curve.points.empty()) chart.curves.push_back(curve);
    }
    return chart;
}

} // namespace

void print_text(std::ostream& out, const GrainReport& r)
{
    out << fmt::format("\ngrain of tasks, {}; up to {} in shuffled order; load average "
                       "{:.2f}\n"
                       "  task us      a task's work: seconds in kernels over tasks\n"
                       "  overhead us  for each task, of a worker outside of kernels: StarPU, "
                       "and waiting for other tasks\n"
                       "  efficiency   seconds in kernels over those of all workers, with its "
                       "{:g}% interval\n",
                       title_of(r), counted(r.rounds, "round"), r.load_average, 100 * r.confidence);
    for (const GrainSeries& s : r.series) {
        out << fmt::format("\n  {}: {}\n", s.label(), sentence_on(s.half));
        out << fmt::format("  {:<12}{:>9}{:>10}{:>10}{:>13}{:>12}{:>18}\n", "tiles", "tasks", "ms",
                           "task us", "overhead us", "efficiency", "low - high");
        for (const GrainTiling& t : s.tilings) {
            const std::string tiles = joined_by_x(t.parts);
            if (t.of.seconds.n == 0) {
                out << fmt::format("  {:<12}  {}\n", tiles,
                                   t.failure.empty() ? "not run" : t.failure);
                continue;
            }
            out << fmt::format("  {:<12}{:>9}{:>10}{:>10}{:>13}{:>12.3f}{:>18}\n", tiles,
                               long(t.tasks), figure(ms * t.of.seconds.mean),
                               figure(us * t.of.size.mean), figure(us * t.of.overhead.mean),
                               t.of.efficiency.mean,
                               t.of.efficiency.interval
                                   ? fmt::format("{:.3f} - {:.3f}", t.of.efficiency.interval->low,
                                                 t.of.efficiency.interval->high)
                                   : "-");
        }
    }
}

Json to_json(const GrainReport& r)
{
    Json series = Json::array();
    for (const GrainSeries& s : r.series) series.push_back(json_of(s));
    return {{"workload", r.workload}, {"what", r.what},
            {"steps", r.steps},       {"extents", r.extents},
            {"rounds", r.rounds},     {"confidence", r.confidence},
            {"complete", r.complete}, {"load_average", r.load_average},
            {"series", series}};
}

std::string draw_charts(const std::string& folder, const GrainReport& r)
{
    CurveChart efficiency =
        chart_of(r, "efficiency", "seconds in kernels over those of all workers",
                 &experiment::GrainPoint::efficiency, 1);
    efficiency.line = 0.5;
    efficiency.y_end = 1;
    CurveChart overhead =
        chart_of(r, "overhead", "us of a worker for each task, outside of kernels",
                 &experiment::GrainPoint::overhead, us);
    overhead.log_y = true;
    std::string problem;
    for (const CurveChart& chart : {efficiency, overhead}) {
        if (chart.curves.empty()) continue;
        write_curves(folder, chart);
        if (problem.empty()) problem = experiment::draw_chart(folder, chart.name);
    }
    return problem;
}

} // namespace qcd
