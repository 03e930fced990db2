#include "experiment/curves.hpp"

#include "base/atomic_file.hpp"
#include "base/gnuplot.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace qcd::experiment
{

namespace
{

/// Distinct also for most who do not see colours as others do (Okabe and Ito 2008), and dark enough
/// for lines.
constexpr std::array colours{"#1f6fb4", "#e69f00", "#009e73", "#c0392b", "#cc79a7", "#505050"};

/// Where a logarithmic axis begins: the power of ten at or below all y.
double bottom_of(const CurveChart& c)
{
    double least = 1;
    bool found = false;
    for (const Curve& curve : c.curves)
        for (const CurvePoint& p : curve.points)
            if (std::isfinite(p.y) && p.y > 0 && (!found || p.y < least)) {
                least = p.y;
                found = true;
            }
    return std::pow(10, std::floor(std::log10(least)));
}

/// A block for each curve, of x, y and the ends of its error bar. Where there is no interval it has
/// no length; where it goes below a logarithmic axis it ends there.
std::string data_of(const CurveChart& c)
{
    const double bottom = c.log_y ? bottom_of(c) : 0;
    std::string text = fmt::format("# {}\n# {}; {}; error bar from, to\n", one_line(c.title),
                                   one_line(c.x_axis), one_line(c.y_axis));
    for (const Curve& curve : c.curves) {
        text += fmt::format("{}# {}\n", &curve == &c.curves.front() ? "" : "\n\n",
                            one_line(curve.label));
        for (const CurvePoint& p : curve.points) {
            if (!std::isfinite(p.x) || !std::isfinite(p.y) || (c.log_y && p.y <= 0)) continue;
            Interval bar = p.interval.value_or(Interval{p.y, p.y});
            if (c.log_y) bar.low = std::max(bar.low, bottom);
            text += fmt::format("{} {} {} {}\n", p.x, p.y, bar.low, bar.high);
        }
    }
    return text;
}

std::string script_of(const CurveChart& c)
{
    constexpr int width = 960, axes = 460, legend_line = 20;
    const int height = axes + legend_line * int((c.curves.size() + 2) / 3);
    double least = 1, greatest = 1;
    bool found = false;
    for (const Curve& curve : c.curves)
        for (const CurvePoint& p : curve.points) {
            if (!std::isfinite(p.x)) continue;
            least = found ? std::min(least, p.x) : p.x;
            greatest = found ? std::max(greatest, p.x) : p.x;
            found = true;
        }
    const std::string y_end = c.y_end ? fmt::format("{}", *c.y_end) : "*";
    std::string settings = fmt::format(
        R"(set title {}
set xlabel {}
set ylabel {}
set grid
set logscale x
set format x "%g"
set xrange [{:.3g}:{:.3g}]
set key outside top center horizontal maxcols 3
{})",
        gnuplot_text(c.title), gnuplot_text(c.x_axis), gnuplot_text(c.y_axis), 0.8 * least,
        1.25 * greatest,
        c.log_y ? fmt::format("set logscale y\nset format y \"%g\"\nset yrange [{}:{}]",
                              bottom_of(c), y_end)
                : fmt::format("set yrange [0:{}]", y_end));
    if (c.line)
        settings += fmt::format("\nset arrow from graph 0, first {0} to graph 1, first {0} nohead "
                                "dashtype 2 linecolor \"black\"",
                                *c.line);
    std::string plot = "plot ";
    constexpr std::array points{7, 5, 9, 13}; // filled ones
    for (std::size_t i = 0; i < c.curves.size(); ++i) {
        const Curve& curve = c.curves[i];
        const std::size_t line = std::size_t(curve.line) % points.size();
        plot += fmt::format(
            "{}\"{}.dat\" index {} with yerrorlines linecolor rgb \"{}\" dashtype {} linewidth 1.5 "
            "pointtype {} pointsize 0.6 title {}",
            i == 0 ? "" : ", \\\n     ", c.name, i,
            colours[std::size_t(curve.colour) % colours.size()], line + 1, points[line],
            gnuplot_text(curve.label));
    }
    return gnuplot_script(c.name, width, height, settings, plot);
}

} // namespace

void write_curves(const std::string& folder, const CurveChart& c)
{
    write_whole(folder + "/" + c.name + ".dat", data_of(c));
    write_whole(folder + "/" + c.name + ".gp", script_of(c));
}

} // namespace qcd::experiment
