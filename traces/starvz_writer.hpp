#pragma once
// starvz/: a trace as the tables that the first phase of StarVZ (an R package for traces of
// StarPU's applications) reads. Milliseconds since the recording began. docs/traces.md says what
// each holds, and which columns StarPU's own recorder alone could fill.

#include "traces/trace.hpp"

#include <filesystem>

namespace qcd
{

/// Name of the folder in that of a trace.
inline constexpr const char* starvz_folder = "starvz";

/// The tables, into this folder, which is there. Throws Error.
void write_starvz(const std::filesystem::path& folder, const Trace&);

} // namespace qcd
