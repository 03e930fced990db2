#pragma once
// Ranks where SimGrid's SMPI has started this program, a copy for each.

#include "runtime/ranks.hpp"

namespace qcd
{

std::unique_ptr<Ranks> simulated_ranks();

} // namespace qcd
