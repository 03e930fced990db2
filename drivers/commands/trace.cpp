// The command `trace`: reads what --trace has recorded.

#include "base/atomic_file.hpp"
#include "base/temporary_folder.hpp"
#include "drivers/commands/commands.hpp"
#include "drivers/run/run_report.hpp"
#include "drivers/trace/schedule_trace.hpp"
#include "drivers/trace/trace_comparison.hpp"
#include "drivers/trace/trace_report.hpp"
#include "experiment/chart.hpp"
#include "program/provenance.hpp"
#include "traces/graph_picture.hpp"
#include "traces/timeline.hpp"
#include "traces/trace_folder.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>
#include <optional>

namespace fs = std::filesystem;

namespace qcd
{

namespace
{

std::string read_bytes(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void draw(const Trace& trace, const TraceSpec& o)
{
    if (o.svg().empty() && o.png().empty()) return;
    const TemporaryFolder folder;
    const std::string name = "timeline";
    const Timeline timeline = draw_timeline(trace, name);
    write_whole(folder.path() / (name + ".dat"), timeline.data);
    write_whole(folder.path() / (name + ".gp"), timeline.script);
    const std::string problem = experiment::draw_chart(folder.path(), name);
    if (!problem.empty()) throw DeviceError("trace: " + problem);
    if (!o.svg().empty()) write_whole(o.svg(), read_bytes(folder.path() / (name + ".svg")));
    if (!o.png().empty()) write_whole(o.png(), read_bytes(folder.path() / (name + ".png")));
}

/// What is to be shown of a trace.
Trace shown(const std::string& folder, const TraceSpec& o)
{
    const Trace whole =
        fs::is_regular_file(folder) ? trace_of_schedules(folder) : read_trace(folder);
    if (o.iterations()) {
        const auto [from, to] =
            time_of_iterations(whole, o.iterations()->first, o.iterations()->second);
        return cropped(whole, from, to);
    }
    if (!o.from() && !o.to()) return whole;
    constexpr double end = std::numeric_limits<double>::max();
    return cropped(whole, o.from() ? *o.from() / 1e3 : -end, o.to() ? *o.to() / 1e3 : end);
}

} // namespace

int run_trace(const TraceSpec& o)
{
    const Trace trace = shown(o.folder(), o);
    const TraceReport report = report_of(trace, o.folder());
    std::optional<TraceComparison> comparison;
    if (!o.other().empty()) comparison = compare(report, report_of(shown(o.other(), o), o.other()));
    if (!o.graph().empty())
        write_whole(o.graph(),
                    draw_graph(trace, o.iterations() ? *o.iterations() : usual_iteration(trace)));
    draw(trace, o);
    if (!o.run.output.quiet()) {
        if (comparison)
            print_text(std::cout, *comparison);
        else
            print_text(std::cout, report);
    }
    nlohmann::ordered_json json = to_json(report);
    json["comparison"] = comparison ? to_json(*comparison) : nlohmann::ordered_json();
    write_result({o.run.output.json()}, json, o.run.output);
    return exit_converged;
}

} // namespace qcd
