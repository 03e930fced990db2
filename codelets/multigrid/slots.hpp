#pragma once
// What the slots of multigrid's operations hold, besides codelets/slots.hpp.

#include "codelets/slots.hpp"

namespace qcd::slot
{

/// Where spinors come from (reorder_spinors/).
inline constexpr Slot places{.holds = "places"};
/// The vectors that span a coarse level, one behind the other (level.h).
inline constexpr Slot basis{.holds = "basis vectors"};
/// The dense matrices of a coarse operator (coarse_hop/).
inline constexpr Slot matrices{.holds = "coarse matrices"};

} // namespace qcd::slot
