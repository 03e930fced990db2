#pragma once
// Paje, the text format of traces that ViTE reads.

#include <iosfwd>

namespace qcd
{

/// Copies a trace with its clock set to 0 at start_ms. What happened before start_ms is put at 0
/// and what happened after end_ms at the end, so that containers exist and states are right, but
/// the picture shows this stretch only. Throws Error if a line is not Paje.
void crop_paje(std::istream& in, std::ostream& out, double start_ms, double end_ms);

} // namespace qcd
