#pragma once
// A schedule as a trace: how its iterations would be executed where nothing but their operations
// takes time.

#include "traces/trace.hpp"

#include <string>

namespace qcd
{

/// The iterations of a file of --save-schedule, one after the other: each worker executes its list,
/// each operation takes what it took when the schedule was taken down, and begins when its worker
/// and what it waits for allow it. What the longest chain of operations takes stands in
/// Trace::about. Throws Error where the file cannot be read, has no times, or could not be executed.
Trace trace_of_schedules(const std::string& file);

} // namespace qcd
