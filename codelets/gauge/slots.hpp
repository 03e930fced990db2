#pragma once
// What the slots of operations on links hold, besides codelets/slots.hpp.

#include "codelets/slots.hpp"

namespace qcd::slot
{
/// A link_counts (link_args.h).
inline constexpr Slot link_counts{.holds = "counts of updates"};
inline constexpr Slot matrices{.holds = "matrices"};
} // namespace qcd::slot
