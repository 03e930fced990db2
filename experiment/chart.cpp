#include "experiment/chart.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/gnuplot.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

namespace qcd::experiment
{

namespace
{

constexpr int width = 960; // pixels; a page is as wide

std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "?"; }

/// Columns: label, low and high of the error bar, where each part ends.
std::string data_of(const Chart& c)
{
    std::string text = fmt::format(
        "# {}: {}\n# label, error bar from, to; ends of: ", one_line(c.title), one_line(c.axis));
    for (const std::string& part : c.parts) text += gnuplot_text(part) + ' ';
    text += '\n';
    for (const Bar& b : c.bars) {
        text += gnuplot_text(b.label);
        text += b.interval
                    ? fmt::format(" {} {}", number(b.interval->low), number(b.interval->high))
                    : " ? ?";
        double end = 0;
        for (const double part : b.parts) {
            end += std::isfinite(part) ? part : 0;
            text += ' ' + number(end);
        }
        text += '\n';
    }
    return text;
}

/// The end of the axis: right of all bars and intervals.
double end_of(const Chart& c)
{
    double end = 0;
    for (const Bar& b : c.bars) {
        double sum = 0;
        for (const double part : b.parts) sum += std::isfinite(part) ? part : 0;
        end = std::max(end, sum);
        if (b.interval && std::isfinite(b.interval->high)) end = std::max(end, b.interval->high);
    }
    return end > 0 ? 1.03 * end : 1;
}

std::string script_of(const Chart& c)
{
    const int legend = c.parts.size() > 1 ? 20 * int((c.parts.size() + 2) / 3) : 0;
    const int height = 110 + legend + 24 * int(c.bars.size());
    const std::string settings = fmt::format(
        R"(set title {}
set xlabel {}
set ytics scale 0
set grid xtics
set xrange [0:{:.6g}]
set yrange [{}:-0.6]
set style fill solid noborder
{})",
        gnuplot_text(c.title), gnuplot_text(c.axis), end_of(c), double(c.bars.size()) - 0.4,
        legend ? "set key outside top center horizontal maxcols 3" : "unset key");
    std::string plot = "plot ";
    for (std::size_t i = 0; i < c.parts.size(); ++i) {
        const std::string from = i == 0 ? "(0)" : std::to_string(3 + i);
        plot +=
            fmt::format("{}\"{}.dat\" using {}:0:{}:{}:($0-0.35):($0+0.35):ytic(1) with "
                        "boxxyerror linecolor rgb \"{}\" title {}",
                        i == 0 ? "" : ", \\\n     ", c.name, 4 + i, from, 4 + i,
                        i < c.colours.size() ? c.colours[i] : "#1f6fb4", gnuplot_text(c.parts[i]));
    }
    plot += fmt::format(", \\\n     \"{0}.dat\" using {1}:0:2:3 with xerrorbars linecolor "
                        "\"black\" linewidth 1.5 pointtype 0 notitle",
                        c.name, 3 + c.parts.size());
    return gnuplot_script(c.name, width, height, settings, plot);
}

/// gnuplot in the folder, silent. The error of starting it, or its exit status.
std::pair<int, int> run_gnuplot(const std::string& folder, const std::string& script)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    for (const int descriptor : {0, 1, 2})
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0);
    std::string program = "gnuplot", argument = script;
    char* const arguments[] = {program.data(), argument.data(), nullptr};
    pid_t child = 0;
    const int failed = posix_spawnp(&child, "gnuplot", &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    if (failed == 0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
    return {failed, status};
}

} // namespace

void write_chart(const std::string& folder, const Chart& c)
{
    write_whole(folder + "/" + c.name + ".dat", data_of(c));
    write_whole(folder + "/" + c.name + ".gp", script_of(c));
}

std::string draw_chart(const std::string& folder, const std::string& name)
{
    const auto [failed, status] = run_gnuplot(folder, name + ".gp");
    if (failed == ENOENT) return "gnuplot is not installed: no plots are drawn";
    if (failed) return fmt::format("gnuplot cannot be started: {}", std::strerror(failed));
    if (status != 0)
        return fmt::format("gnuplot {}.gp fails in {}: no plot is drawn", name, folder);
    return {};
}

std::string draw_charts(const std::string& folder, const std::vector<Chart>& charts,
                        std::vector<std::string>& drawn)
{
    std::string problem;
    for (const Chart& chart : charts) {
        if (chart.bars.empty()) continue;
        write_chart(folder, chart);
        drawn.push_back(chart.name);
        if (problem.empty()) problem = draw_chart(folder, chart.name);
    }
    return problem;
}

} // namespace qcd::experiment
