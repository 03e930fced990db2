#include "drivers/compare/compare_report.hpp"

#include "experiment/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
    return fmt::format("up to {} rounds, {:g}% intervals", r.design.rounds,
                       100 * r.ranking.certainty.confidence);
}

Chart time_chart(const CompareReport& r)
{
    Chart chart{"time", "time of a solve: mean of " + intervals_of(r), "s", {"time"}, {}};
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
                "times as fast as " + name_of(r, first),
                {"speed-up"},
                {}};
    const std::vector<double> base = seconds_of(r.design, r.runs, first.which);
    for (const Ranked& c : cases) {
        const auto ratio = experiment::paired_ratio(base, seconds_of(r.design, r.runs, c.which),
                                                    r.ranking.certainty.confidence);
        chart.bars.push_back({name_of(r, c), {ratio.ratio}, ratio.interval});
    }
    return chart;
}

Chart parts_chart(const CompareReport& r)
{
    Chart chart{
        "parts", "where the CPU workers' time goes: mean of a solve", "s, all workers", {}, {}};
    const std::vector<std::string> parts{"hopping", "faces", "updates", "sums", "other", "idle"};
    chart.parts = parts;
    for (const Ranked& c : ranked(r)) {
        if (summary_of(r, c.which, "idle_seconds").n == 0) continue;
        Bar bar{name_of(r, c), {}, {}};
        for (const std::string& part : parts)
            bar.parts.push_back(summary_of(r, c.which, part + "_seconds").mean);
        chart.bars.push_back(bar);
    }
    return chart;
}

Chart idle_chart(const CompareReport& r)
{
    Chart chart{"idle",
                "share of a solve in which CPU workers compute nothing: mean of " + intervals_of(r),
                "%",
                {"idle"},
                {}};
    for (const Ranked& c : ranked(r))
        if (const Summary s = summary_of(r, c.which, "idle_percent"); s.n > 0)
            chart.bars.push_back({name_of(r, c), {s.mean}, s.interval});
    return chart;
}

} // namespace

std::string draw_charts(CompareReport& r, const std::string& folder)
{
    if (ranked(r).empty()) return {};
    std::string problem;
    for (const Chart& chart : {time_chart(r), speedup_chart(r), parts_chart(r), idle_chart(r)}) {
        if (chart.bars.empty()) continue;
        write_chart(folder, chart);
        r.plots.push_back(chart.name);
        if (problem.empty()) problem = experiment::draw_chart(folder, chart.name);
    }
    return problem;
}

experiment::Json to_json(const CompareReport& r)
{
    const auto with_digest = std::find_if(
        r.runs.begin(), r.runs.end(), [](const Run& run) { return !run.outcome.digest.empty(); });
    const bool alike = with_digest != r.runs.end() && r.differing.empty();
    return {{"problem", r.problem},
            {"digest", alike ? experiment::Json(with_digest->outcome.digest) : experiment::Json()},
            {"interrupted", r.interrupted},
            {"charts", r.plots},
            {"ranking", to_json(r.design, r.ranking)},
            {"bounds", to_json(r.bounds)},
            {"warnings", r.bounds.warnings}};
}

} // namespace qcd
