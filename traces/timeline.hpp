#pragma once
// A picture of a trace by gnuplot: a row for each worker, a box for each task, a colour for each
// operation, milliseconds below, and a title that says what ran.

#include "traces/trace.hpp"

#include <string>

namespace qcd
{

/// Data and script. What is narrower than a pixel or two is drawn as what most of it is, so that
/// the size of the picture does not grow with the trace.
struct Timeline {
    std::string data;   ///< for NAME.dat
    std::string script; ///< for NAME.gp; draws NAME.svg and NAME.png
};

/// Draws the part of the trace that is shown.
Timeline draw_timeline(const Trace&, const std::string& name);

} // namespace qcd
