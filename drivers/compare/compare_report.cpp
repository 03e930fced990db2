#include "drivers/compare/compare_report.hpp"

#include "base/text.hpp"
#include "drivers/compare/outcome.hpp"
#include "experiment/chart.hpp"
#include "traces/palette.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace qcd
{

namespace
{

using experiment::Bar;
using experiment::Chart;
using experiment::Ranked;
using experiment::Run;
using experiment::Summary;

Summary summary_of(const CompareReport& r, int which, const std::string& quantity)
{
    const auto& all = r.design.quantities;
    const std::ptrdiff_t at = std::find(all.begin(), all.end(), quantity) - all.begin();
    std::vector<double> values;
    for (const Run& run : r.runs)
        if (run.which == which && run.round > 0 && run.outcome.failure.empty())
            values.push_back(run.outcome.values[std::size_t(at)]);
    return experiment::summarise(values, r.ranking.certainty.confidence);
}

std::string name_of(const CompareReport& r, const Ranked& c)
{
    return r.design.cases[c.which].name;
}

std::vector<Ranked> ranked(const CompareReport& r)
{
    std::vector<Ranked> some;
    for (const Ranked& c : r.ranking.cases)
        if (c.failure.empty()) some.push_back(c);
    return some;
}

std::string intervals_of(const CompareReport& r)
{
    return fmt::format("up to {}, {:g}% intervals", counted(r.design.rounds, "round"),
                       100 * r.ranking.certainty.confidence);
}

Chart time_chart(const CompareReport& r)
{
    Chart chart{
        "time", "time of a run: mean of " + intervals_of(r), "s (less is better)", {"time"}, {},
        {}};
    for (const Ranked& c : ranked(r))
        chart.bars.push_back({name_of(r, c), {c.seconds.mean}, c.seconds.interval});
    return chart;
}

/// Over the first case of the design that ran.
Chart speedup_chart(const CompareReport& r)
{
    const std::vector<Ranked> cases = ranked(r);
    const Ranked& first =
        *std::min_element(cases.begin(), cases.end(),
                          [](const Ranked& a, const Ranked& b) { return a.which < b.which; });
    Chart chart{"speedup",
                "speed-up, round by round: " + intervals_of(r),
                "times as fast as " + name_of(r, first) + " (more is better)",
                {"speed-up"},
                {},
                {}};
    const std::vector<double> base = seconds_of(r.design, r.runs, first.which);
    for (const Ranked& c : cases) {
        const auto ratio = experiment::paired_ratio(base, seconds_of(r.design, r.runs, c.which),
                                                    r.ranking.certainty.confidence);
        chart.bars.push_back({name_of(r, c), {ratio.ratio}, ratio.interval});
    }
    return chart;
}

/// What a bar of parts has: name, quantity, colour. Where no case has devices, theirs are not
/// there.
struct Part {
    std::string name, quantity, colour;
};

std::vector<Part> parts_of(const CompareReport& r)
{
    const std::vector<Ranked> cases = ranked(r);
    const auto works = [&](const char* kind) {
        return std::any_of(cases.begin(), cases.end(), [&](const Ranked& c) {
            return summary_of(r, c.which, fmt::format("{}_seconds", kind)).mean > 0;
        });
    };
    const bool cores = works("cores"), devices = works("devices");
    std::vector<Part> parts;
    for (const bool on_devices : {false, true})
        for (std::size_t g = 0; g < kernel_groups.size(); ++g) {
            if (on_devices ? !devices : !cores) continue;
            const char* where = !(cores && devices) ? "" : on_devices ? ", devices" : ", cores";
            parts.push_back({kernel_groups[g] + where,
                             quantity_of(on_devices ? "devices" : "cores", kernel_groups[g]),
                             colour_of_group(kernel_groups[g], on_devices && cores).hex()});
        }
    parts.push_back({"idle", "idle_seconds", idle_colour.hex()});
    return parts;
}

constexpr const char* idle_axis = "% of the time of all workers (less is better)";

/// Shares, as the times of cases may differ so much that nothing is seen of the shortest: these are
/// in the other charts.
Chart parts_chart(const CompareReport& r)
{
    Chart chart{"parts",
                "where the workers' time goes: shares of a run, fastest case first",
                "% of the time of all workers",
                {},
                {},
                {}};
    const std::vector<Part> parts = parts_of(r);
    for (const Part& part : parts) {
        chart.parts.push_back(part.name);
        chart.colours.push_back(part.colour);
    }
    for (const Ranked& c : ranked(r)) {
        Bar bar{name_of(r, c), {}, {}};
        for (const Part& part : parts)
            bar.parts.push_back(summary_of(r, c.which, part.quantity).mean);
        double all = 0;
        for (const double part : bar.parts) all += std::isfinite(part) ? part : 0;
        for (double& part : bar.parts) part *= 100 / all;
        chart.bars.push_back(bar);
    }
    return chart;
}

Chart idle_chart(const CompareReport& r)
{
    Chart chart{"idle", "workers idle: mean of " + intervals_of(r), idle_axis, {"idle"}, {}, {}};
    for (const Ranked& c : ranked(r))
        if (const Summary s = summary_of(r, c.which, "idle_percent"); s.n > 0)
            chart.bars.push_back({name_of(r, c), {s.mean}, s.interval});
    return chart;
}

experiment::Json json_of(const std::optional<Calibration>& c)
{
    if (!c) return {};
    return {{"folder", c->folder},
            {"runs", c->runs},
            {"models", c->entries.size()},
            {"short_of_timings", c->short_of_timings()}};
}

} // namespace

std::string draw_charts(CompareReport& r, const std::string& folder)
{
    if (ranked(r).empty()) return {};
    return experiment::draw_charts(
        folder, {time_chart(r), speedup_chart(r), parts_chart(r), idle_chart(r)}, r.plots);
}

experiment::Notebook notebook_of(const CompareReport& r)
{
    experiment::Notebook n{r.problem, r.ranking.certainty, {}, {}};
    for (const experiment::Case& c : r.design.cases) n.cases.push_back(c.name);
    experiment::NotebookPlot parts{
        "where the workers' time goes: mean of a run", "s, all workers", {}};
    for (const Part& part : parts_of(r)) parts.parts.emplace_back(part.name, part.quantity);
    n.plots = {parts, {"workers idle", idle_axis, {{"idle", "idle_percent"}}}};
    return n;
}

void print_times(std::ostream& out, const CompareReport& r)
{
    const std::vector<Ranked> cases = ranked(r);
    if (cases.empty()) return;
    std::size_t width = 8;
    for (const Ranked& c : cases) width = std::max(width, name_of(r, c).size() + 2);
    const auto mean = [&](const Ranked& c, const char* quantity) {
        return summary_of(r, c.which, quantity).mean;
    };
    // Only with devices there is something to say of the bus and of them.
    const bool devices = std::any_of(cases.begin(), cases.end(), [&](const Ranked& c) {
        return mean(c, "devices_seconds") > 0 || mean(c, "bytes_moved") > 0;
    });
    out << "\nmeans of a run, s: allocate: data allocated and filled; cores: kernels, all workers "
           "together"
        << (devices ? ", and on devices; bus: copies, of so many MB" : "")
        << ";\nidle: of all workers' time\n";
    if (r.sweeps > 0)
        out << fmt::format("sweep: its milliseconds, of {} in a run, median\n", r.sweeps);
    out << fmt::format("  {:<{}}{:>10}{:>9}{:>8}", "case", width, "allocate", "cores", "idle");
    if (r.sweeps > 0) out << fmt::format("{:>9}", "sweep");
    if (devices) out << fmt::format("{:>9}{:>9}{:>10}", "devices", "bus", "MB");
    out << '\n';
    for (const Ranked& c : cases) {
        out << fmt::format("  {:<{}}{:>10}{:>9}{:>7.0f}%", name_of(r, c), width,
                           figure(mean(c, "allocation_seconds")), figure(mean(c, "cores_seconds")),
                           mean(c, "idle_percent"));
        if (r.sweeps > 0) out << fmt::format("{:>9}", figure(1e3 * c.seconds.median / r.sweeps));
        if (devices)
            out << fmt::format("{:>9}{:>9}{:>10}", figure(mean(c, "devices_seconds")),
                               figure(mean(c, "bus_seconds")),
                               figure(1e-6 * mean(c, "bytes_moved")));
        out << '\n';
    }
}

experiment::Json to_json(const CompareReport& r)
{
    const auto with_digest = std::find_if(
        r.runs.begin(), r.runs.end(), [](const Run& run) { return !run.outcome.digest.empty(); });
    const bool alike = with_digest != r.runs.end() && r.differing.empty();
    return {{"problem", r.problem},
            {"ranks", r.ranks},
            {"digest", alike ? experiment::Json(with_digest->outcome.digest) : experiment::Json()},
            {"interrupted", r.interrupted},
            {"calibration", json_of(r.calibration)},
            {"charts", r.plots},
            {"ranking", to_json(r.design, r.ranking)},
            {"bounds", to_json(r.bounds)},
            {"runtime", to_json(r.runtime)},
            {"warnings", r.bounds.warnings}};
}

} // namespace qcd
