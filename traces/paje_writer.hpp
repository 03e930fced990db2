#pragma once
// paje.trace: a trace in Paje, which ViTE and pajeng read. Milliseconds from the first start.

#include "traces/trace.hpp"

namespace qcd
{

/// States by operation, and idle between them, of workers grouped by device; copies as links
/// between memory nodes; a mark where an iteration begins; counters of ready tasks and of bytes.
/// Throws Error.
void write_paje(const std::string& path, const Trace&);

} // namespace qcd
