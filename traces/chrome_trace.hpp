#pragma once
// trace.json: a trace in the trace-event format of Chrome, which Perfetto (ui.perfetto.dev) and
// chrome://tracing read. Microseconds from the first start, as the format has it.

#include "traces/trace.hpp"

namespace qcd
{

/// A process for each device with a thread for each worker, one for the copies between memories,
/// one for iterations and counters. Throws Error.
void write_chrome_trace(const std::string& path, const Trace&);

} // namespace qcd
