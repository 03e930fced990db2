#pragma once
// From what was recorded of a graph to a trace.

#include "runtime/events.hpp"
#include "traces/trace.hpp"

namespace qcd
{

/// began: Events::began(), of the clock of transfers. While StarPU's workers are there. `about` is
/// left to who knows.
Trace make_trace(const std::vector<Event>&, std::vector<Transfer>, double began);

} // namespace qcd
