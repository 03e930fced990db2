#pragma once
// Options of the program in one text, for who calls the library: the same words, the same checks.

#include "drivers/spec/commands.hpp"

#include <string_view>

namespace qcd
{

/// Reads the options of qcd_session_open(): workers, and what they are chosen for. Throws Error.
RunSpec parse_session_options(std::string_view text);

/// How a gauge field is read, or a source. Throws Error.
RunSpec parse_gauge_options(std::string_view text);
RunSpec parse_source_options(std::string_view text);

/// Reads the options of a qcd_problem, with its numbers. Options of the machine are not among them,
/// and nothing is completed.
/// Throws Error.
RunSpec parse_problem_options(std::string_view text, const Extents&, double kappa, double mubar,
                              double tolerance);

} // namespace qcd
