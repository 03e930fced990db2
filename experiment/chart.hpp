#pragma once
// Horizontal bars, one for each case, drawn by gnuplot: its script and its data are kept beside the
// pictures, so that who wants another picture changes the script.

#include "experiment/statistics.hpp"

#include <string>
#include <vector>

namespace qcd::experiment
{

struct Bar {
    std::string label;
    std::vector<double> parts;        ///< put end to end; NaN is left out
    std::optional<Interval> interval; ///< of their sum, for an error bar
};

struct Chart {
    std::string name;                   ///< of the files
    std::string title, axis;            ///< axis: what, and its unit
    std::vector<std::string> parts;     ///< what they are; one: no legend
    std::vector<Bar> bars;              ///< from top to bottom
    std::vector<std::string> colours{}; ///< of the parts, as "#1f6fb4"; empty: blue
};

/// NAME.dat and NAME.gp in the folder, whole or not at all. Throws Error.
void write_chart(const std::string& folder, const Chart&);

/// NAME.svg and NAME.png from them. Returns in a line why there are none; empty: there are.
std::string draw_chart(const std::string& folder, const std::string& name);

/// Both, of those that have bars, whose names are added to `drawn`. Returns as draw_chart().
std::string draw_charts(const std::string& folder, const std::vector<Chart>&,
                        std::vector<std::string>& drawn);

} // namespace qcd::experiment
