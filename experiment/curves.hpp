#pragma once
// Points with intervals, joined to curves, drawn by gnuplot as charts are (chart.hpp): its script
// and its data are kept beside the pictures.

#include "experiment/statistics.hpp"

#include <optional>
#include <string>
#include <vector>

namespace qcd::experiment
{

struct CurvePoint {
    double x = 0, y = 0;
    std::optional<Interval> interval{}; ///< of y, for an error bar
};

struct Curve {
    std::string label;
    std::vector<CurvePoint> points; ///< from left to right
    int colour = 0, line = 0;       ///< curves that have something in common may share one of both
};

struct CurveChart {
    std::string name; ///< of the files
    std::string title;
    std::string x_axis, y_axis; ///< what, and its unit; x is logarithmic
    std::vector<Curve> curves;
    bool log_y = false;            ///< else y is from 0 on
    std::optional<double> line{};  ///< a line at this y
    std::optional<double> y_end{}; ///< of the axis; none: as the points are
};

/// NAME.dat and NAME.gp in the folder, whole or not at all; draw_chart() makes pictures of them.
/// Throws Error.
void write_curves(const std::string& folder, const CurveChart&);

} // namespace qcd::experiment
