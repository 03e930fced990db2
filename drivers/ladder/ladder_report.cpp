#include "drivers/ladder/ladder_report.hpp"

#include "base/text.hpp"
#include "experiment/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace qcd
{

namespace
{

using experiment::Chart;
using experiment::Json;
using experiment::PairedRatio;

constexpr double confidence = 0.95;

/// What the report measured its versions by; none: it is no row.
std::optional<int> original_on(const LadderReport& r, LadderDevice device)
{
    for (std::size_t i = 0; i < r.rows.size(); ++i)
        if (r.rows[i].device == device && r.rows[i].version() == "original") return int(i);
    return std::nullopt;
}

std::optional<PairedRatio> speed_up(const LadderReport& r, std::optional<int> base, int which)
{
    if (!base) return std::nullopt;
    const PairedRatio ratio = experiment::paired_ratio(
        seconds_of(r.design, r.runs, *base), seconds_of(r.design, r.runs, which), confidence);
    return ratio.rounds > 0 ? std::optional(ratio) : std::nullopt;
}

double mean_of(const LadderResult& result, const char* quantity)
{
    const auto& names = ladder_quantities();
    const auto at = std::find(names.begin(), names.end(), quantity) - names.begin();
    return result.means.empty() ? std::nan("") : result.means[std::size_t(at)];
}

LadderResult result_of(const LadderReport& r, int which)
{
    LadderResult result;
    result.seconds = experiment::summarise(seconds_of(r.design, r.runs, which), confidence);
    for (const experiment::Run& run : r.runs)
        if (run.which == which && !run.outcome.failure.empty())
            result.failure = run.outcome.failure;
    if (result.seconds.n == 0) {
        if (result.failure.empty()) result.failure = "not measured yet";
        return result;
    }
    result.failure.clear();
    for (std::size_t q = 0; q < ladder_quantities().size(); ++q) {
        std::vector<double> values;
        for (const experiment::Run& run : r.runs)
            if (run.which == which && run.round > 0 && run.outcome.failure.empty())
                values.push_back(run.outcome.values[q]);
        const experiment::Summary s = experiment::summarise(values, confidence);
        result.means.push_back(s.n > 0 ? s.mean : std::nan(""));
    }
    result.over_core = speed_up(r, original_on(r, LadderDevice::core), which);
    result.over_cores = speed_up(r, original_on(r, LadderDevice::cores), which);
    return result;
}

std::string shown(double value, int digits)
{
    return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : "-";
}

std::string shown(const std::optional<PairedRatio>& ratio)
{
    return ratio ? fmt::format("{:.2f}", ratio->ratio) : "-";
}

std::string heading(LadderDevice device)
{
    switch (device) {
    case LadderDevice::core:
        return "one core, by StarPU";
    case LadderDevice::cores:
        return "all cores, by StarPU";
    case LadderDevice::opencl:
        return "one OpenCL device";
    case LadderDevice::cuda:
        break;
    }
    return "one GPU, by CUDA";
}

/// What a kernel takes of a device is known of CUDA's alone.
bool by_cuda(const LadderRow& row) { return row.device == LadderDevice::cuda; }

void print_row(std::ostream& out, const LadderRow& row, const LadderResult& s)
{

    if (!s.failure.empty()) {
        out << fmt::format("  {:<12}{}\n", row.name, s.failure);
        return;
    }
    const auto& interval = s.seconds.interval;
    const double local = mean_of(s, "local_bytes");
    out << fmt::format(
        "  {:<12}{:>10}{:>9}{:>9}{:>9}{:>9}{:>9}{:>8}{:>9}{}\n", row.name, figure(s.seconds.mean),
        interval ? figure((interval->high - interval->low) / 2, 2) : "-", shown(s.over_core),
        shown(s.over_cores), shown(mean_of(s, "gflops"), 1), shown(mean_of(s, "version_gflops"), 1),
        shown(mean_of(s, "stencil_gb_per_s"), 1), shown(mean_of(s, "stencil_percent"), 0) + "%",
        by_cuda(row)
            ? fmt::format("{:>6}{:>8}{:>8}", shown(mean_of(s, "registers"), 0),
                          shown(local / 1024, 1), shown(mean_of(s, "occupancy_percent"), 0))
            : "");
}

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json json_of(const std::optional<experiment::Interval>& i)
{
    return i ? Json::array({i->low, i->high}) : Json();
}

Json json_of(const std::optional<PairedRatio>& ratio)
{
    if (!ratio) return {};
    return {{"ratio", ratio->ratio}, {"interval", json_of(ratio->interval)}};
}

Json json_of(const LadderRow& row, const LadderResult& s)
{
    Json j{
        {"device", to_string(row.device)},
        {"version", row.version()},
        {"multiple", row.options.method.multiple() ? Json(*row.options.method.multiple()) : Json()},
        {"rounds", s.seconds.n},
        {"seconds", s.seconds.n > 0 ? Json(s.seconds.mean) : Json()},
        {"interval", json_of(s.seconds.interval)},
        {"over_core", json_of(s.over_core)},
        {"over_cores", json_of(s.over_cores)}};
    for (const std::string& q : ladder_quantities()) j[q] = number_or_null(mean_of(s, q.c_str()));
    j["failure"] = s.failure.empty() ? Json() : Json(s.failure);
    return j;
}

/// Both charts of a device, behind those of others.
void add_charts(const LadderReport& r, LadderDevice device, std::vector<Chart>& charts)
{
    const std::string name(to_string(device)), where = heading(device);
    Chart speed{"speedup_" + name,
                "speed-up by version, " + where,
                "times as fast as the original on one core (more is better)",
                {"speed-up"},
                {}};
    Chart rate{"gflops_" + name,
               "speed of a solve by version, " + where,
               "GFLOPS, 1320 flop per site of a hopping term (more is better)",
               {"GFLOPS"},
               {}};
    for (std::size_t i = 0; i < r.rows.size(); ++i) {
        const LadderResult& s = r.results[i];
        if (r.rows[i].device != device || !s.failure.empty()) continue;
        if (s.over_core)
            speed.bars.push_back({r.rows[i].name, {s.over_core->ratio}, s.over_core->interval});
        rate.bars.push_back({r.rows[i].name, {mean_of(s, "gflops")}, std::nullopt});
    }
    charts.insert(charts.end(), {speed, rate});
}

} // namespace

std::vector<LadderResult> ladder_results(const LadderReport& r)
{
    std::vector<LadderResult> results;
    for (std::size_t i = 0; i < r.rows.size(); ++i) results.push_back(result_of(r, int(i)));
    return results;
}

std::string draw_ladder(LadderReport& r, const std::string& folder)
{
    std::vector<Chart> charts;
    for (const auto device :
         {LadderDevice::core, LadderDevice::cores, LadderDevice::opencl, LadderDevice::cuda})
        add_charts(r, device, charts);
    return experiment::draw_charts(folder, charts, r.charts);
}

void print_text(std::ostream& out, const LadderReport& r)
{
    out << fmt::format("{}{}; mean of up to {} and half of its 95% interval; "
                       "speed-up over the original on one core and on all\n",
                       counted(*r.rows.front().options.method.iterations(), "iteration"),
                       r.iterations_chosen ? " (chosen)" : "", counted(r.design.rounds, "round"));
    for (std::size_t i = 0; i < r.rows.size(); ++i) {
        if (i == 0 || r.rows[i].device != r.rows[i - 1].device)
            out << fmt::format("\n{}\n  {:<12}{:>10}{:>9}{:>9}{:>9}{:>9}{:>9}{:>8}{:>9}{}\n",
                               heading(r.rows[i].device), "version", "s", "+-", "x core", "x cores",
                               "GFLOPS", "own", "GB/s", "stencil",
                               by_cuda(r.rows[i]) ? "  regs     KiB  occ. %" : "");
        print_row(out, r.rows[i], r.results[i]);
    }
    out << "\nGFLOPS: 1320 flop a site of an application of D; own: by the version's count; GB/s "
           "and share of time: of the stencil's kernels\n";
    if (std::any_of(r.rows.begin(), r.rows.end(), by_cuda))
        out << "regs, KiB, occ.: registers a thread, shared memory a work group, threads of the "
               "most\n";
}

Json to_json(const LadderReport& r)
{
    Json rows = Json::array();
    for (std::size_t i = 0; i < r.rows.size(); ++i)
        rows.push_back(json_of(r.rows[i], r.results[i]));
    return {{"problem", r.problem},
            {"ranks", r.ranks},
            {"iterations", *r.rows.front().options.method.iterations()},
            {"iterations_chosen", r.iterations_chosen},
            {"rounds", r.design.rounds},
            {"interrupted", r.interrupted},
            {"charts", r.charts},
            {"rows", rows}};
}

} // namespace qcd
