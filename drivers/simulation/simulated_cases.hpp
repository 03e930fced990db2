#pragma once
// `compare --simulate`: cases on a machine that need not be there, ranked by what they would take.

#include "drivers/spec/commands.hpp"

namespace qcd
{

/// Returns 0, or 4 where a case has no time. Throws Error.
int run_simulated_comparison(const CompareSpec&);

} // namespace qcd
