#pragma once
// The tasks of an iteration and the data between them as a picture.

#include "traces/trace.hpp"

#include <string>
#include <utility>

namespace qcd
{

/// More operations than this make no picture that could be read.
inline constexpr int most_drawn = 400;

/// An SVG of the operations of these iterations, of the first solve that has them: boxes, in the
/// colours of all pictures, with tile, worker and time; what they write, and what they read from
/// before, as rounded boxes; a line for each reading and writing. Who waits for somebody stands
/// below. Throws Error where the trace knows no dependencies, has none of these iterations, or too
/// many operations in them.
std::string draw_graph(const Trace&, std::pair<int, int> iterations);

/// The iteration that shows best how a solve goes on: the second one, where there are two.
std::pair<int, int> usual_iteration(const Trace&);

} // namespace qcd
